from .toolbox import TOOLS as TOOLS
from .toolbox import Toolbox as Toolbox

"""The only way out for rendered pages: judged addresses, pinned names, a filtering proxy.

page -> Lease (a listening port per render) -> Dialer (resolve once, Guard judges every answer) -> literal address
"""

from mediakit.engines.network.addresses import Guard
from mediakit.engines.network.lease import Budget, Lease
from mediakit.engines.network.proxy import EgressProxy
from mediakit.engines.network.resolve import Resolve

__all__ = ["Budget", "EgressProxy", "Guard", "Lease", "Resolve"]

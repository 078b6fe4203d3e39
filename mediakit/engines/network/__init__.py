"""Network access of rendered pages, through a filtering proxy that resolves each name once and checks each address.

page -> Lease (one listening port per render) -> Dialer (resolves once, Guard checks every address) -> literal address
"""

from mediakit.engines.network.addresses import Guard
from mediakit.engines.network.dial import Resolve
from mediakit.engines.network.lease import Budget, Lease
from mediakit.engines.network.proxy import EgressProxy

__all__ = ["Budget", "EgressProxy", "Guard", "Lease", "Resolve"]

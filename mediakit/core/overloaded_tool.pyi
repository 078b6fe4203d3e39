from collections.abc import Awaitable, Callable
from typing import Any, Generic, ParamSpec, TypeVar, overload

from mediakit.core.tool import AsyncCall, AsyncClientTool, AsyncToolClient, ClientTool, Tool, ToolClient, ToolResult

_P = ParamSpec("_P")
_R = TypeVar("_R", bound=ToolResult)
_P1 = ParamSpec("_P1")
_R1 = TypeVar("_R1", bound=ToolResult)
_P2 = ParamSpec("_P2")
_R2 = TypeVar("_R2", bound=ToolResult)
_P3 = ParamSpec("_P3")
_R3 = TypeVar("_R3", bound=ToolResult)

class OverloadedAsyncCall(AsyncCall[_P, _R], Generic[_P, _R, _P1, _R1, _P2, _R2, _P3, _R3]):
    @overload
    async def __call__(self, *args: _P1.args, **kwargs: _P1.kwargs) -> _R1: ...
    @overload
    async def __call__(self, *args: _P2.args, **kwargs: _P2.kwargs) -> _R2: ...
    @overload
    async def __call__(self, *args: _P3.args, **kwargs: _P3.kwargs) -> _R3: ...
    @overload
    async def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...

class OverloadedClientTool(ClientTool[_P, _R], Generic[_P, _R, _P1, _R1, _P2, _R2, _P3, _R3]):
    @overload
    def __call__(self, *args: _P1.args, **kwargs: _P1.kwargs) -> _R1: ...
    @overload
    def __call__(self, *args: _P2.args, **kwargs: _P2.kwargs) -> _R2: ...
    @overload
    def __call__(self, *args: _P3.args, **kwargs: _P3.kwargs) -> _R3: ...
    @overload
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...

class OverloadedAsyncClientTool(AsyncClientTool[_P, _R], Generic[_P, _R, _P1, _R1, _P2, _R2, _P3, _R3]):
    @overload
    def __call__(self, *args: _P1.args, **kwargs: _P1.kwargs) -> Awaitable[_R1]: ...
    @overload
    def __call__(self, *args: _P2.args, **kwargs: _P2.kwargs) -> Awaitable[_R2]: ...
    @overload
    def __call__(self, *args: _P3.args, **kwargs: _P3.kwargs) -> Awaitable[_R3]: ...
    @overload
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> Awaitable[_R]: ...

class OverloadedTool(Tool[_P, _R], Generic[_P, _R, _P1, _R1, _P2, _R2, _P3, _R3]):
    @property
    def aio(self) -> OverloadedAsyncCall[_P, _R, _P1, _R1, _P2, _R2, _P3, _R3]: ...
    @overload
    def __call__(self, *args: _P1.args, **kwargs: _P1.kwargs) -> _R1: ...
    @overload
    def __call__(self, *args: _P2.args, **kwargs: _P2.kwargs) -> _R2: ...
    @overload
    def __call__(self, *args: _P3.args, **kwargs: _P3.kwargs) -> _R3: ...
    @overload
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    @overload
    def __get__(self, instance: None, owner: type) -> OverloadedTool[_P, _R, _P1, _R1, _P2, _R2, _P3, _R3]: ...
    @overload
    def __get__(
        self, instance: ToolClient, owner: type
    ) -> OverloadedClientTool[_P, _R, _P1, _R1, _P2, _R2, _P3, _R3]: ...
    @overload
    def __get__(
        self, instance: AsyncToolClient, owner: type
    ) -> OverloadedAsyncClientTool[_P, _R, _P1, _R1, _P2, _R2, _P3, _R3]: ...

@overload
def overloads(
    first: Callable[_P1, Any], first_result: type[_R1], second: Callable[_P2, Any], second_result: type[_R2]
) -> Callable[[Tool[_P, _R]], OverloadedTool[_P, _R, _P1, _R1, _P2, _R2, _P2, _R2]]: ...
@overload
def overloads(
    first: Callable[_P1, Any],
    first_result: type[_R1],
    second: Callable[_P2, Any],
    second_result: type[_R2],
    third: Callable[_P3, Any],
    third_result: type[_R3],
) -> Callable[[Tool[_P, _R]], OverloadedTool[_P, _R, _P1, _R1, _P2, _R2, _P3, _R3]]: ...

"""The paths of the dashboard, one line each."""

from starlette.routing import Route

from mediakit.api.context import Context
from mediakit.api.dashboard.account_page import AccountPages
from mediakit.api.dashboard.calls import Calls
from mediakit.api.dashboard.health import HealthPages
from mediakit.api.dashboard.keys import KeyPages
from mediakit.api.dashboard.operator import OperatorPages
from mediakit.api.dashboard.overview import Overview
from mediakit.api.dashboard.plan import PlanPages
from mediakit.api.dashboard.sign_in_pages import SignInPages
from mediakit.api.dashboard.static_files import static_file
from mediakit.api.dashboard.template_gallery import TemplateGallery
from mediakit.api.dashboard.try_it import TryIt
from mediakit.api.service_endpoints import ServiceEndpoints

GET, POST = ["GET"], ["POST"]


def dashboard_routes(context: Context, service: ServiceEndpoints) -> list[Route]:
    """Return the routes of every page."""
    overview, calls, keys, plan = Overview(context), Calls(context), KeyPages(context), PlanPages(context)
    gallery, try_it, account = TemplateGallery(context), TryIt(context, service.tools), AccountPages(context)
    operator, health = OperatorPages(context), HealthPages(context, service.metrics)
    sign_in = SignInPages(context)
    return [
        Route("/dashboard/sign-in", sign_in.sign_in, methods=GET),
        Route("/dashboard/sign-in", sign_in.send_link, methods=POST),
        Route("/dashboard/sign-in/{token}", sign_in.confirm, methods=GET),
        Route("/dashboard/sign-in/{token}", sign_in.use_link, methods=POST),
        Route("/dashboard/sign-up", sign_in.sign_up, methods=GET),
        Route("/dashboard/sign-out", sign_in.sign_out, methods=POST),
        Route("/dashboard", overview.show, methods=GET),
        Route("/dashboard/charts/{name}/{look}.svg", overview.chart, methods=GET),
        Route("/dashboard/calls", calls.show, methods=GET),
        Route("/dashboard/keys", keys.show, methods=GET),
        Route("/dashboard/keys", keys.create, methods=POST),
        Route("/dashboard/keys/{key_id}/revoke", keys.confirm_revoke, methods=GET),
        Route("/dashboard/keys/{key_id}/revoke", keys.revoke, methods=POST),
        Route("/dashboard/plan", plan.show, methods=GET),
        Route("/dashboard/plan/{plan}", plan.confirm, methods=GET),
        Route("/dashboard/plan/{plan}", plan.change, methods=POST),
        Route("/dashboard/templates", gallery.show, methods=GET),
        Route("/dashboard/thumbnails/{template}/{style}", gallery.thumbnail, methods=GET),
        Route("/dashboard/try", try_it.show, methods=GET),
        Route("/dashboard/account", account.show, methods=GET),
        Route("/dashboard/account/end-session", account.end_session, methods=POST),
        Route("/dashboard/account/sign-out-everywhere", account.end_all_sessions, methods=POST),
        Route("/dashboard/account/delete", account.confirm_delete, methods=GET),
        Route("/dashboard/account/delete", account.delete, methods=POST),
        Route("/dashboard/operator", operator.show, methods=GET),
        Route("/dashboard/operator/charts/{name}/{look}.svg", operator.chart, methods=GET),
        Route("/dashboard/operator/accounts", operator.accounts, methods=GET),
        Route("/dashboard/operator/accounts/{account_id:int}", operator.account, methods=GET),
        Route("/dashboard/operator/accounts/{account_id:int}/charts/{name}/{look}.svg", operator.chart, methods=GET),
        Route("/dashboard/operator/accounts/{account_id:int}/plan", operator.set_plan, methods=POST),
        Route("/dashboard/operator/accounts/{account_id:int}/{action}", operator.change, methods=POST),
        Route("/dashboard/operator/health", health.show, methods=GET),
        Route("/dashboard/static/{name}", static_file, methods=GET),
    ]

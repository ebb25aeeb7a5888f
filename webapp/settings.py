"""Settings of the dashboard.

There are two ways to run it. *Embedded*, the default: SQLite and a message folder inside the data folder, and
an in-memory channel layer. *Team*: `DATABASE_URL` and `REDIS_URL`, with web servers and workers on any machines.

Environment variables: TICKING_DATA, DATABASE_URL, REDIS_URL, SECRET_KEY, TICKING_LOGIN, TICKING_HOSTS,
TICKING_ORIGINS, TICKING_HTTPS, TICKING_WORKERS, TICKING_DEBUG, TICKING_ENDPOINT_HOSTS,
TICKING_MINECRAFT_HOSTS, TICKING_ALLOW_LOOPBACK, TICKING_KEYS. The guide's pages "Running" and "Models" describe them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import SELF, UNSAFE_INLINE
from django.core.exceptions import ImproperlyConfigured

from webapp import env

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = env.data_folder(BASE_DIR / ".data")

DATABASE_URL = env.url("DATABASE_URL", ("postgres", "postgresql", "sqlite"))
REDIS_URL = env.url("REDIS_URL", ("redis", "rediss"))
if bool(DATABASE_URL) != bool(REDIS_URL):
    raise ImproperlyConfigured(
        "Set both DATABASE_URL and REDIS_URL, or neither: one alone is not enough to share."
    )
TEAM = bool(REDIS_URL)

DEBUG = env.flag("TICKING_DEBUG")
LOGIN = env.flag("TICKING_LOGIN")
HTTPS = env.flag("TICKING_HTTPS")
WORKERS = env.count("TICKING_WORKERS", os.cpu_count() or 1)
SECRET_KEY = env.secret_key(DATA_DIR, team=TEAM)

LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = LOOPBACK + env.words("TICKING_HOSTS")
CSRF_TRUSTED_ORIGINS = env.words("TICKING_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "webapp.core",
    "webapp.home",
    "webapp.tasks",
    "webapp.launch",
    "webapp.runs",
    "webapp.live",
    "webapp.models",
    "webapp.servers",
    "webapp.guide",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "webapp.core.static.StaticMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    *(["django.contrib.auth.middleware.LoginRequiredMiddleware"] if LOGIN else []),
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "webapp.urls"
ASGI_APPLICATION = "webapp.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# --- storage -----------------------------------------------------------------------------------------------

DATABASES: dict[str, Any] = {
    "default": dj_database_url.parse(DATABASE_URL)
    if DATABASE_URL
    else {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA_DIR / "db.sqlite3"}
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",  # one that began by reading could not wait for its turn to write
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 512 * 1024

# --- queue ---------------------------------------------------------------------------------------------------

BROKER_FOLDER = DATA_DIR / "broker"
CELERY_BROKER_URL = REDIS_URL or "folder://localhost//"
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"global_keyprefix": "ticking:", "visibility_timeout": 3600}
    if TEAM
    else {
        "data_folder_in": str(BROKER_FOLDER / "messages"),
        "data_folder_out": str(BROKER_FOLDER / "messages"),
        "control_folder": str(BROKER_FOLDER / "control"),
        "polling_interval": 0.1,
    }
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = (
    False  # an episode may spend money: a worker that dies must not start it a second time
)
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 10.0 if TEAM else 0.0
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_MAX_TASKS_PER_CHILD = 1000

# --- live --------------------------------------------------------------------------------------------------

CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": "ticking"},
    }
    if TEAM
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}

# --- static files ------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "webapp.core.static.VendorFinder",
]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_MAX_AGE = (
    0  # browsers ask each time whether a file has changed, so modules of two versions never mix
)
WHITENOISE_ALLOW_ALL_ORIGINS = False

# --- access and security -----------------------------------------------------------------------------------

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "style-src": [SELF, UNSAFE_INLINE],
        "img-src": [SELF, "data:", "blob:"],
        "connect-src": [SELF],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": [SELF],
        "frame-ancestors": ["'none'"],
    }
}
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_NAME = "ticking_session"
CSRF_COOKIE_NAME = "ticking_csrf"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 30 * 24 * 3600 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SILENCED_SYSTEM_CHECKS = [
    "security.W005",  # HSTS for the operator's other subdomains is not ours to decide
    "security.W021",  # nor is the browsers' preload list
]

# --- others' servers ----------------------------------------------------------------------------------------

ENDPOINT_ADDRESSES = env.endpoint_addresses()
MINECRAFT_ADDRESSES = env.minecraft_addresses()
MODEL_KEYS = env.model_keys()

# --- language, time, logs ----------------------------------------------------------------------------------

LANGUAGE_CODE = "en-gb"
USE_I18N = False
TIME_ZONE = "UTC"
USE_TZ = True

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(levelname)s %(name)s: %(message)s"}},
    "filters": {"brief": {"()": "webapp.core.logs.BriefRefusals"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "plain", "filters": ["brief"]},
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "webapp": {"level": "INFO"},
        "engine.minecraft": {"level": "INFO"},  # names the address to watch at
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        "django.request": {"level": "ERROR"},  # a 404 is no news for the operator
        "django.server": {"handlers": [], "propagate": True},
    },
}

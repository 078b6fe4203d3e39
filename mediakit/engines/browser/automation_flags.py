"""Command line flags for a Chromium that a program controls. Playwright's driver sets its own."""

DISABLED_FEATURES = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)

AUTOMATION_FLAGS = (
    "--headless",
    "--no-startup-window",
    # Pages look the same on all machines.
    "--hide-scrollbars",
    "--mute-audio",
    "--force-color-profile=srgb",
    # A page sees a mouse, which this machine need not have.
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
    # WebGL without a graphics card.
    "--enable-unsafe-swiftshader",
    # Screenshots show the page at its full size, and what it has just drawn.
    "--enable-features=CDPScreenshotNewSurface",
    # No experiments, no upgrades to HTTPS, no services that pages do not need.
    "--disable-field-trial-config",
    f"--disable-features={','.join(DISABLED_FEATURES)}",
    # Pages run at full speed, though no window shows them.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    # Many messages do not slow a page down, and a long script does not ask the user.
    "--disable-ipc-flooding-protection",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    # A page that was left keeps no memory.
    "--disable-back-forward-cache",
    # Containers have little shared memory.
    "--disable-dev-shm-usage",
    # No crash reports, usage reports, extensions, default apps or updates.
    "--disable-breakpad",
    "--metrics-recording-only",
    "--disable-extensions",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-updater-scheduler",
    # Passwords are not read from the user's key ring.
    "--password-store=basic",
    "--use-mock-keychain",
)
"""Pages look and run the same on all machines, and Chromium does nothing but run pages."""

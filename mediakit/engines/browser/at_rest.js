// Functions that bring a page to rest. They are evaluated in a JavaScript world of their own in each frame, whose
// built-in functions a page cannot replace.
globalThis.atRest ??= (() => {
    // Endless animations are shown this long after the last of them has started.
    const endlessTime = 1000;
    // SVG animations are shown after one hour: finite ones have ended, and most periods divide it.
    const svgSeconds = 3600;

    const force = (element, properties) => {
        for (const [name, value] of Object.entries(properties)) element.style?.setProperty(name, value, 'important');
    };

    const allElements = () => {
        const elements = [], roots = [document];
        for (const root of roots)
            for (const element of root.querySelectorAll('*')) {
                elements.push(element);
                if (element.shadowRoot) roots.push(element.shadowRoot);
            }
        return {elements, roots};
    };

    // Endless animations that `finish` has paused. Others are paused by the page, and stay as they are.
    const paused = new WeakSet();

    // Shows finite animations and transitions at their end, and endless ones at a fixed time.
    // Returns how many were still running.
    const finish = (waitMs, isFullPage) => {
        const {elements, roots} = allElements();
        const animations = new Set(roots.flatMap(root => root.getAnimations()).filter(each => each.effect));
        const timing = animation => animation.effect.getComputedTiming();
        const isScrolled = animation => animation.timeline && !(animation.timeline instanceof DocumentTimeline);
        const timed = [...animations].filter(each => !isScrolled(each));
        const endless = timed.filter(each => timing(each).endTime === Infinity);
        const started = Math.max(0, ...endless.map(each => timing(each).delay));
        let count = 0;
        const show = animation => {
            if (isScrolled(animation)) {
                if (!isFullPage || animation.playState === 'paused') return;
                // As in the middle of the viewport, or at the end of the page.
                const share = animation.timeline instanceof ViewTimeline ? 50 : 100;
                const start = animation.startTime?.value ?? 0;
                animation.pause();
                animation.currentTime = CSS.percent(share - start);
            } else if (endless.includes(animation)) {
                if (animation.playState === 'running') {
                    animation.pause();
                    paused.add(animation);
                }
                if (paused.has(animation)) animation.currentTime = started + endlessTime + waitMs;
            } else if (animation.playState === 'running') {
                animation.finish();
                count++;
            }
        };
        for (const animation of animations) {
            try {
                show(animation);
            } catch {
                // Its speed is 0.
            }
        }
        for (const svg of elements)
            if (svg instanceof SVGSVGElement && !svg.ownerSVGElement && svg.querySelector('animate, animateTransform, animateMotion, set')) {
                svg.pauseAnimations();
                svg.setCurrentTime(svgSeconds + (endlessTime + waitMs) / 1000);
            }
        return count;
    };

    // Shows sections that Chromium skips until they are near the viewport. Returns how many there are.
    const showSkipped = () => {
        const skipped = allElements().elements.filter(each => getComputedStyle(each).contentVisibility === 'auto');
        for (const element of skipped) force(element, {'content-visibility': 'visible', contain: 'layout style paint'});
        return skipped.length;
    };

    // Counts changes of elements, classes and styles by the scripts of the page.
    let observer = null;
    const changes = () => {
        if (!observer) {
            observer = new MutationObserver(() => {});
            const attributes = {attributes: true, attributeFilter: ['class', 'style']};
            observer.observe(document, {subtree: true, childList: true, ...attributes});
        }
        return observer.takeRecords().length;
    };

    const scrollTo = top => {
        const page = document.scrollingElement;
        page?.scrollTo({top, behavior: 'instant'});
        return page?.scrollHeight ?? 0;
    };

    // How elements look while they are in the viewport, without those that move with it.
    const seen = new Map();
    const remember = (element = document.body) => {
        if (!element) return;
        const style = getComputedStyle(element);
        if (style.position === 'fixed' || style.position === 'sticky') return;
        const box = element.getBoundingClientRect();
        const opacity = Number(style.opacity);
        if (box.width && box.height && box.bottom > 0 && box.top < innerHeight && opacity >= (seen.get(element)?.opacity ?? 0)) {
            const {visibility, transform, filter, clipPath} = style;
            seen.set(element, {opacity, visibility, transform, filter, clipPath});
        }
        for (const child of element.children) remember(child);
        for (const child of element.shadowRoot?.children ?? []) remember(child);
    };

    // Shows elements below the viewport that the page has hidden again since they were in it.
    const restore = () => {
        const isShown = element => Number(getComputedStyle(element).opacity) >= 0.5;
        // One of several slides in the same place is replaced by another one.
        const isReplaced = element => [...element.parentElement?.children ?? []].some(
            other => other !== element && seen.get(other)?.opacity < 0.5 && isShown(other));
        for (const [element, look] of seen) {
            if (!element.isConnected || element.getBoundingClientRect().bottom < innerHeight) continue;
            const style = getComputedStyle(element);
            const isFaded = Number(style.opacity) < look.opacity - 0.01;
            const isHidden = style.visibility !== 'visible' && look.visibility === 'visible';
            if (!(isFaded || isHidden) || isReplaced(element)) continue;
            const {opacity, visibility, transform, filter, clipPath} = look;
            force(element, {transition: 'none', opacity, visibility, transform, filter, 'clip-path': clipPath});
        }
    };

    // Finds the elements that scroll and fill most of the viewport. Other elements hide as much as their authors want.
    let scrollers = [];
    const findScrollers = () => {
        const root = document.documentElement;
        if (!root) return {hidden: 0, pageScrolls: false};
        const isViewport = element => element === root || element === document.scrollingElement ||
            (element === document.body && getComputedStyle(root).overflowY === 'visible');
        scrollers = allElements().elements.filter(element =>
            element.scrollHeight > element.clientHeight + 1 &&
            element.clientHeight >= innerHeight / 2 && element.clientWidth >= innerWidth / 2 &&
            !isViewport(element) && !(element instanceof HTMLTextAreaElement) &&
            ['auto', 'scroll'].includes(getComputedStyle(element).overflowY));
        return {hidden: hiddenHeight(), pageScrolls: root.scrollHeight > innerHeight * 1.1};
    };
    const isCut = element => element.scrollHeight > element.clientHeight + 1 && getComputedStyle(element).overflowY !== 'visible';
    const hiddenHeight = () =>
        Math.max(0, ...scrollers.filter(isCut).map(each => each.scrollHeight - each.clientHeight));

    // Makes scrolling elements as high as their content.
    const expand = () => {
        for (const scroller of scrollers) {
            for (let element = scroller; element; element = element.parentElement ?? element.getRootNode().host) {
                const isOutOfFlow = ['fixed', 'absolute'].includes(getComputedStyle(element).position);
                const position = isOutOfFlow ? {position: 'relative', inset: 'auto'} : {};
                force(element, {height: 'auto', 'max-height': 'none', overflow: 'visible', flex: 'none', ...position});
                if (isOutOfFlow) force(element, {width: '100%'});
            }
        }
    };

    // Extends backgrounds that are fixed to the viewport to the whole page.
    const extendBackgrounds = () => {
        const root = document.documentElement, body = document.body;
        if (!root) return;
        const height = `${Math.max(root.scrollHeight, innerHeight)}px`;
        for (const element of allElements().elements) {
            const style = getComputedStyle(element);
            if (style.backgroundImage !== 'none' && style.backgroundAttachment.includes('fixed')) {
                force(element, {'background-attachment': 'scroll'});
                if (element === root || element === body) force(root, {'min-height': height});
            }
            const box = element.getBoundingClientRect();
            const isLayer = style.position === 'fixed' && style.zIndex < 0;
            if (isLayer && box.width >= innerWidth && box.height >= innerHeight)
                force(element, {position: 'absolute', top: 0, bottom: 'auto', height});
        }
        const rules = [];
        for (const [name, element] of [['html', root], ['body', body]])
            for (const pseudo of ['::before', '::after']) {
                const style = element && getComputedStyle(element, pseudo);
                if (style && style.content !== 'none' && style.position === 'fixed' && style.zIndex < 0 &&
                        parseFloat(style.width) >= innerWidth && parseFloat(style.height) >= innerHeight)
                    rules.push(`${name}${pseudo} {position: absolute !important; bottom: auto !important; height: ${height} !important}`);
                if (style && style.content !== 'none' && style.backgroundAttachment.includes('fixed'))
                    rules.push(`${name}${pseudo} {background-attachment: scroll !important}`);
            }
        if (rules.length) {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(rules.join('\n'));
            document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
        }
    };

    return {
        changes, expand, extendBackgrounds, findScrollers, finish, hiddenHeight, remember, restore, scrollTo, showSkipped,
    };
})()

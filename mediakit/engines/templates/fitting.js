// Fits the texts of a template to their boxes, and a long page to its height. Evaluated by mediakit in the loaded page.
//
// `data-fit="SIZE MIN LINES ROOM LINE_HEIGHT"`: largest and smallest font size in pixels, most lines, most height of the
// lines in pixels (0: any), and line height in em. Returns the keys of texts that are smaller or cut.
({width, height, zoom, grow}) => {
    const LEEWAY = 0.1;  // pixels
    const ROUNDS = 7;
    const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}]/u;
    const HEBREW = /\p{sc=Hebrew}/u;
    // Scripts with marks above and below the letters, such as Arabic, Devanagari and Thai.
    const TALL = /(?![\u0000-\u024f\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Hebrew}])[\p{Lo}\p{Mc}]/u;

    const main = document.querySelector("main");
    const range = document.createRange();

    const texts = [...main.querySelectorAll("[data-fit]")].map(element => {
        const [size, min, lines, room, lineHeight] = element.dataset.fit.split(" ").map(Number);
        const content = element.textContent;
        const isTall = TALL.test(content), isHebrew = HEBREW.test(content);
        if (isTall || isHebrew) element.style.letterSpacing = "0";  // it would separate joined letters
        const least = Math.max(isTall ? 1.4 : 0, isHebrew ? 1.2 : 0, EAST_ASIAN.test(content) ? 1.15 : 0);
        if (least > lineHeight) element.style.lineHeight = least;
        return {element, size, min, lines, room, lineHeight: Math.max(least, lineHeight), used: size};
    });

    const setSize = (text, size) => {
        text.used = size;
        text.element.style.fontSize = size + "px";
    };

    // How many times as wide as its box a text is, and whether its lines fit.
    const measure = text => {
        const {element, lines, room, lineHeight, used} = text;
        const style = getComputedStyle(element);
        const inner = names => names.reduce((sum, name) => sum + parseFloat(style[name]), 0);
        const bounds = element.getBoundingClientRect();
        const box = bounds.width / unit - inner(["paddingLeft", "paddingRight", "borderLeftWidth", "borderRightWidth"]);
        range.selectNodeContents(element);
        text.ratio = range.getBoundingClientRect().width / unit / Math.max(box, 1);
        text.fits = text.ratio * box <= box + LEEWAY;
        if (text.fits && (lines > 1 || room)) {
            const height = bounds.height / unit - inner(["paddingTop", "paddingBottom", "borderTopWidth", "borderBottomWidth"]);
            text.fits = height <= Math.min(lines * lineHeight * used, room || Infinity) + 1;
        }
    };

    const fitTexts = () => {
        texts.forEach(text => setSize(text, text.size));
        texts.forEach(measure);
        let open = texts.filter(text => !text.fits);
        open.forEach(text => { text.low = text.min; text.high = text.size; });
        for (let round = 0; open.length && round < ROUNDS; round++) {
            for (const text of open) {
                // One line is as wide as its font is large.
                const guess = round === 0 && text.lines === 1 && text.size / text.ratio * 0.998;
                setSize(text, guess ? Math.max(text.min, guess) : (text.low + text.high) / 2);
            }
            open.forEach(measure);
            for (const text of open) {
                if (text.fits) text.low = text.used; else text.high = text.used;
            }
            open = open.filter(text => text.high - text.low > text.size / 100 && !(text.lines === 1 && text.fits));
        }
        const smaller = texts.filter(text => text.used < text.size);
        smaller.forEach(text => setSize(text, Math.max(text.min, text.low ?? text.min)));
        smaller.forEach(measure);
        smaller.forEach(text => { if (!text.fits && text.used > text.min) setSize(text, text.min); });
        smaller.forEach(measure);
    };

    const setPage = scale => {
        main.style.setProperty("--page", width / scale + "px");
        main.style.setProperty("--page-height", height / scale + "px");
    };

    const layOut = scale => {
        setPage(scale);
        fitTexts();
    };

    // The share of the page that its content needs. Images behind the content do not count.
    const neededShare = scale => {
        main.style.height = "auto";
        const needed = main.offsetHeight - 1;
        main.style.height = "";
        return needed * scale / height;
    };

    // The largest zoom at which the content fits. A page with more space has larger texts, so it is not just the share.
    const fittingZoom = share => {
        let high = zoom, highShare = share, low = zoom / share, lowShare;
        for (layOut(low); (lowShare = neededShare(low)) > 1 && low > 0.05 * zoom; layOut(low)) {
            [high, highShare, low] = [low, lowShare, low * 0.94];
        }
        for (let round = 0; round < 3 && lowShare < 0.985 && high - low > 0.01 * high; round++) {
            const middle = low + (high - low) * Math.min(0.9, Math.max(0.1, (0.995 - lowShare) / (highShare - lowShare)));
            layOut(middle);
            const middleShare = neededShare(middle);
            if (middleShare > 1) [high, highShare] = [middle, middleShare]; else [low, lowShare] = [middle, middleShare];
        }
        layOut(low);
        return low;
    };

    main.classList.add("fitting");
    const unit = main.getBoundingClientRect().width * zoom / width;  // pixels of the screen in one of the template
    layOut(zoom);
    const share = grow || main.scrollHeight <= main.clientHeight ? 0 : neededShare(zoom);
    if (share > 1) main.style.zoom = fittingZoom(share);
    main.classList.remove("fitting");
    const tight = texts.filter(text => !text.fits);
    for (const {element, lines, room, lineHeight, used} of tight) {
        if (room) element.style.webkitLineClamp = Math.max(1, Math.min(lines, Math.floor(room / (lineHeight * used))));
    }
    // Several lines may break inside of words now, and then have space for them.
    const cut = tight.filter(({element, lines}) => lines === 1 || element.scrollHeight > element.clientHeight + 1);
    const keys = found => found.map(text => text.element.dataset.key);
    return {fitted: keys(texts.filter(text => text.used < text.size || !text.fits)), cut: keys(cut)};
}

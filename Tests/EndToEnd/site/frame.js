() => {
    const frame = document.documentElement.cloneNode(true)
    // The account is asked for when the page stands already.
    frame.querySelectorAll("article, .neighbours, #Site-account").forEach(node => node.replaceChildren())
    // What differs from page to page: which link is the page's own.
    for (const name of ["aria-current", "autofocus"]) frame.querySelectorAll(`nav [${name}]`).forEach(node => node.removeAttribute(name))
    const box = selector => {
        const {x, width, height} = document.querySelector(selector).getBoundingClientRect()
        return [x, width, selector == "main" ? 0 : height]
    }
    return {
        html: frame.outerHTML.replaceAll(encodeURIComponent(location.pathname), ""),
        boxes: ["header.top", "#Site-pages", "main", "footer.bottom"].map(box),
        wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        over: [[60, 20], [1300, 20], [150, 200], [150, 600]].map(([x, y]) => document.elementFromPoint(x, y).closest("article") !== null),
        out: [...document.querySelectorAll("article img")].some(node =>
            node.getBoundingClientRect().bottom > document.querySelector("article").getBoundingClientRect().bottom + 1),
        ran: "hacked" in window,
        schemes: [...document.querySelectorAll("article a")].map(link => link.protocol),
    }
}

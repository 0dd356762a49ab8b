import sanitize from 'sanitize-html'

const allowedTags = [
  'h1',
  'h2',
  'h3',
  'h4',
  'p',
  'br',
  'hr',
  'ul',
  'ol',
  'li',
  'strong',
  'b',
  'em',
  'i',
  'u',
  's',
  'sup',
  'sub',
  'blockquote',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'a',
  'span',
  'div',
]
const allowedAttributes = {
  a: ['href', 'title'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
}
const schemes = ['https', 'http', 'tel', 'mailto']
/** Tags that word processors leave behind and that do nothing: they go without a word. */
const harmless = new Set([
  ...allowedTags,
  'font',
  'center',
  'section',
  'article',
  'header',
  'footer',
  'main',
  'html',
  'head',
  'body',
  'title',
  'tfoot',
  'caption',
  'col',
  'colgroup',
  'small',
  'big',
  'mark',
  'code',
  'pre',
  'h5',
  'h6',
  'dl',
  'dt',
  'dd',
  'label',
  'o:p',
])
const leads = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'xlink:href',
  'srcdoc',
  'data',
  'background',
  'poster',
])
const schemeOf = (value: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):/i.exec([...value].filter(char => char > ' ').join(''))?.[1]?.toLowerCase()

/**
 * HTML that people write for consumers. `html` is what may be kept and shown: known tags, links to
 * the web, a phone or a mailbox, no styles. `risky` names what the parser found that could act or
 * load something (scripts, handlers, frames, forms, other schemes); undefined when nothing did.
 * `blank` when a reader would see nothing.
 */
export const soundHtml = (
  typed: string,
): { html: string; risky: string | undefined; blank: boolean } => {
  let risky: string | undefined
  const found = (what: string) => {
    risky ??= what
  }
  const html = sanitize(typed, {
    allowedTags,
    allowedAttributes,
    allowedSchemes: schemes,
    allowProtocolRelative: false,
    transformTags: {
      '*': (tagName, attribs) => {
        if (!harmless.has(tagName)) found(`<${tagName}>`)
        for (const [name, value] of Object.entries(attribs)) {
          if (/^on/i.test(name)) found(name)
          const scheme = leads.has(name.toLowerCase()) ? schemeOf(value) : undefined
          if (scheme !== undefined && !schemes.includes(scheme)) found(`${name}="${scheme}:"`)
          if (name.toLowerCase() === 'style' && /expression|url\s*\(|@import|behavior/i.test(value))
            found('style')
        }
        return { tagName, attribs }
      },
    },
  }).trim()
  const seen = sanitize(html, { allowedTags: [], allowedAttributes: {} }).replace(
    /&nbsp;|&#160;|[\s\u00a0\u200b-\u200d\ufeff]/g,
    '',
  )
  return { html, risky, blank: seen === '' }
}

import type { FastifyRequest } from 'fastify'

/** A text as it may stand in HTML. */
export const escaped = (text: string) =>
  text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)
/** A page that needs nothing but itself: for whoever is not one of our people. */
export const publicPage = (
  lang: string,
  title: string,
  words: string,
  to?: { href: string; text: string },
): string => `<!doctype html><html lang="${lang === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escaped(title)}</title>${to ? `<meta http-equiv="refresh" content="0;url=${escaped(to.href)}">` : ''}
<style>body{margin:0;min-height:100vh;display:grid;place-content:center;justify-items:center;gap:12px;padding:24px;box-sizing:border-box;text-align:center;font:16px/1.6 -apple-system,"PingFang SC","Microsoft YaHei",sans-serif;background:#f5f7f9;color:#1c2733}h1{font-size:20px;margin:0}p{margin:0;color:#5c6b7a;max-width:28em}a{background:#1f6b4f;color:#fff;text-decoration:none;padding:10px 28px;border-radius:24px}</style></head><body><h1>${escaped(title)}</h1><p>${escaped(words)}</p>${to ? `<a href="${escaped(to.href)}">${escaped(to.text)}</a>` : ''}</body></html>`

/** True for what a browser opens as a page; pictures, scripts and calls are answered as data. */
export const wantsPage = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !/^\/+api\//.test(url) &&
  (headers.accept ?? '').includes('text/html')

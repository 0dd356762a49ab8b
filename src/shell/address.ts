/**
 * An address inside the console: path, then `?` and the query. Pure; knows nothing of the registry.
 */
export const pathOf = (address: string): string => address.split(/[?#]/, 1)[0]!
export const searchOf = (address: string): string =>
  address.split('#', 1)[0]!.split('?').slice(1).join('?')

/** Without doubled or trailing slashes, backslashes and a hash; always begins with one slash. */
export const tidy = (address: string): string => {
  const path = `/${pathOf(address)}`.replace(/[\\/]+/g, '/').replace(/(.)\/$/, '$1')
  const search = searchOf(address)
  return search ? `${path}?${search}` : path
}

/**
 * What a link names, seen from `here`: `?a=1` keeps the path, `/x` replaces it, `x` stands beside
 * the last part.
 */
export const resolve = (to: string, here: string): string => {
  if (to === '') return tidy(here)
  if (to.startsWith('?')) return tidy(pathOf(here) + to)
  if (to.startsWith('/')) return tidy(to)
  const path = pathOf(here)
  return tidy(`${path.slice(0, path.lastIndexOf('/') + 1)}${to}`)
}

/** The workbench's home; its pages lie below, and those of `besides` below a root of their own. */
export const HOME = '/manage'
/** Specification, section 2: coupons of the e-mall have addresses that begin without `/manage`. */
const besides = ['/ecoupon'] as const
const isBelow = (path: string, root: string) => path === root || path.startsWith(`${root}/`)
/**
 * Where a page stands whose address is spelled below `/manage` too: `/manage/ecoupon/index` and
 * `/manage/coupon/ecoupon/index` are `/ecoupon/index`.
 */
export const moved = (address: string): string =>
  tidy(address).replace(/^\/manage\/(?:coupon\/)?(?=ecoupon(?:[/?]|$))/i, '/')
/** The code of a layout link, `/manage?layout=…`; undefined for every other address. */
export const layoutCodeIn = (address: string): string | undefined =>
  /^\/manage$/i.test(pathOf(tidy(address)))
    ? (new URLSearchParams(searchOf(address)).get('layout') ?? undefined)
    : undefined
export const layoutLink = (code: string): string => `${HOME}?layout=${encodeURIComponent(code)}`

export type Screen = 'root' | 'manage' | 'error' | 'login' | 'unknown'
/** Which of the few screens an address asks for. Letter case and extra slashes don't matter. */
export const screenOf = (href: string): Screen => {
  const path = pathOf(tidy(href)).toLowerCase()
  if (path === '/') return 'root'
  if (path === '/error') return 'error'
  if ([HOME, ...besides].some(root => isBelow(path, root))) return 'manage'
  // Specification, section 2: an address that contains `login` is never sent to the root path.
  return href.toLowerCase().includes('login') ? 'login' : 'unknown'
}

/**
 * An address to return to after signing in, if it leads into the console of this origin; otherwise
 * null.
 */
export const safeReturn = (to: string | null): string | null => {
  if (!to || !/^\/(?![\\/])/.test(to) || [...to].some(letter => letter < ' ')) return null
  return screenOf(to) === 'manage' ? tidy(to) : null
}

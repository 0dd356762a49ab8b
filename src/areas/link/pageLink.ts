import type { Text } from '#src/domain/text.ts'

export const linkTypes = {
  page: ['小程序页面', 'Page'],
  object: ['对象页面', 'Object page'],
  mini_program: ['其他小程序', 'Mini-program'],
  h5: ['H5 网页', 'H5 page'],
} as const satisfies Record<string, Text>
export type LinkType = keyof typeof linkTypes
export const linkHealths = {
  ok: ['正常', 'OK'],
  off_shelf: ['目标已下架', 'Off shelf'],
  dead: ['目标不存在', 'Dead'],
  unknown: ['未检测', 'Not checked'],
} as const satisfies Record<string, Text>
export type LinkHealth = keyof typeof linkHealths
export const linkTargets = {
  text: ['文字', 'Text'],
  store: ['门店', 'Store'],
  mall: ['商场', 'Mall'],
  product: ['商品', 'Product'],
  category: ['分类', 'Category'],
} as const satisfies Record<string, Text>
export type LinkTarget = keyof typeof linkTargets

type Param = {
  key: string
  label: string
  target: LinkTarget
  required: boolean
  value?: string | number | undefined
}
type Values = Readonly<Record<string, string | number>>

const PAGE_PATH = /^(pages|package[A-Za-z0-9]*|sub[A-Za-z0-9]*)\/[\w/-]+$/
const APPID = /^wx[0-9a-f]{16}$/
/** The part before the query, where a template's parameters may not stand. */
export const pageOfPath = (path: string): string => path.split('?')[0]!

/** True when the host is one of the allowed domains or below one. */
export const domainAllowed = (url: string, domains: readonly string[]): boolean => {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, username } = new URL(url)
  return (
    protocol === 'https:' &&
    username === '' &&
    domains.some(domain => hostname === domain || hostname.endsWith(`.${domain}`))
  )
}

/** What is wrong with a link's address, by field; empty when nothing is. */
export const linkFaults = (
  link: { type: LinkType; path: string; appid: string; params: readonly Param[] },
  domains: readonly string[],
): Record<string, Text> => {
  const faults: Record<string, Text> = {}
  if (link.type === 'h5') {
    if (!domainAllowed(link.path.replace(/\{\w+\}/g, '0'), domains))
      faults['path'] = ['只能是白名单域名下的 https 地址', 'An https address of an allowed domain']
  } else if (!PAGE_PATH.test(pageOfPath(link.path)))
    faults['path'] = [
      '路径须以 pages/ 或分包前缀开头',
      'A path begins with pages/ or a package prefix',
    ]
  if (link.type === 'mini_program' ? !APPID.test(link.appid) : link.appid !== '')
    faults['appid'] =
      link.type === 'mini_program'
        ? ['请填写 wx 开头的 18 位 AppID', 'An AppID: wx and 16 digits or letters a–f']
        : ['只有其他小程序需要 AppID', 'Only another mini-program has an AppID']
  const keys = link.params.map(param => param.key)
  if (new Set(keys).size !== keys.length)
    faults['params'] = ['参数名重复', 'Two parameters of one name']
  const asked = [...link.path.matchAll(/\{(\w+)\}/g)].map(found => found[1]!)
  const unknown = asked.find(key => !keys.includes(key))
  if (unknown !== undefined)
    faults['params'] = [
      `路径用到的参数 ${unknown} 没有定义`,
      `The path asks for ${unknown}, which is not defined`,
    ]
  return faults
}

/** The parameters that nobody has given a value: neither the library nor whoever picks the link. */
export const missingParams = (params: readonly Param[], values: Values): Param[] =>
  params.filter(
    param =>
      param.required &&
      param.value === undefined &&
      (values[param.key] === undefined || values[param.key] === ''),
  )
/** All values of a link as picked; the library's own stand over what was typed. */
export const valuesOf = (
  params: readonly Param[],
  values: Values,
): Record<string, string | number> =>
  Object.fromEntries(
    params.flatMap(param => {
      const value = param.value ?? values[param.key]
      return value === undefined || value === '' ? [] : [[param.key, value]]
    }),
  )

/**
 * The address with its parameters: `{key}` where the template names them, the others as its query.
 */
export const filledPath = (path: string, params: readonly Param[], values: Values): string => {
  const all = valuesOf(params, values)
  const named = new Set([...path.matchAll(/\{(\w+)\}/g)].map(found => found[1]!))
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String(all[key] ?? '')),
  )
  const query = new URLSearchParams(
    Object.entries(all).flatMap(([key, value]) => (named.has(key) ? [] : [[key, String(value)]])),
  )
  return query.size ? `${filled}${filled.includes('?') ? '&' : '?'}${query}` : filled
}
/** The fixed values in one order: a path is unique with them. */
export const paramsKey = (params: readonly Param[]): string =>
  params
    .flatMap(param => (param.value === undefined ? [] : [`${param.key}=${param.value}`]))
    .sort()
    .join('&')

const REQUIRED = /^(必填|required|\*)$/
/** A link's parameters in brief: `id=17 from*`, where a star asks for a value. `gap` sets them apart. */
export const paramsLine = (params: readonly Param[], gap = ''): string =>
  params
    .map(({ key, value, required }) => {
      if (value !== undefined) return `${key}${gap}=${gap}${value}`
      return required ? `${key}${gap}*` : key
    })
    .join(gap ? ', ' : ' ')
/**
 * A link's parameters as they are typed: a line each, `key label target`, then `必填` where it is
 * asked for and `=value` where the library fixes it.
 */
export const paramsText = (params: readonly Param[]): string =>
  params
    .map(({ key, label, target, required, value }) =>
      [
        key,
        label,
        target,
        ...(required ? ['必填'] : []),
        ...(value === undefined ? [] : [`=${value}`]),
      ].join(' '),
    )
    .join('\n')
/** What such lines say, or the first line that can't be read. */
export const paramsOf = (typed: string): { params: Param[] } | { bad: string } => {
  const params: Param[] = []
  for (const line of typed
    .split('\n')
    .map(one => one.normalize('NFKC').trim())
    .filter(Boolean)) {
    const [key = '', label = '', target = '', ...rest] = line.split(/\s+/)
    const fixed = rest.find(one => one.startsWith('='))?.slice(1)
    if (
      !/^\w{1,32}$/.test(key) ||
      label === '' ||
      label.length > 16 ||
      !Object.hasOwn(linkTargets, target) ||
      rest.some(one => !one.startsWith('=') && !REQUIRED.test(one)) ||
      fixed === ''
    )
      return { bad: line }
    params.push({
      key,
      label,
      target: target as LinkTarget,
      required: rest.some(one => REQUIRED.test(one)),
      ...(fixed === undefined ? {} : { value: target === 'text' ? fixed : Number(fixed) }),
    })
  }
  return { params }
}
/** Values as they are typed: `id=17 from=home`. */
export const valuesText = (values: Values): string =>
  Object.entries(values)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ')
export const valuesTyped = (typed: string): Record<string, string | number> | undefined => {
  const parts = typed
    .normalize('NFKC')
    .trim()
    .split(/[\s&]+/)
    .filter(Boolean)
    .map(part => /^(\w{1,32})=(.{1,128})$/.exec(part))
  return parts.some(part => part === null)
    ? undefined
    : Object.fromEntries(
        parts.map(part => [part![1]!, /^\d{1,9}$/.test(part![2]!) ? Number(part![2]) : part![2]!]),
      )
}

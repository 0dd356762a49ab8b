import { blocks } from '#src/areas/mall/recommend.ts'
import { staffStates } from '#src/areas/people/people.ts'
import { offerFields } from '#src/areas/product/words.ts'
import { masked, type MaskRule } from '#src/domain/mask.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { clause, comma, saidIn, say, type Lang, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { onOff, type FieldWord, type Keyed, type Named, type ObjectWord } from './objectWord.ts'

/** Fields that mean the same wherever they stand. */
const common: Readonly<Record<string, FieldWord>> = {
  is_recommend: { title: ['推荐', 'Recommended'], kind: 'flag' },
  drop_reason: { title: ['移除原因', 'Why taken off'] },
  name: { title: ['名称', 'Name'] },
  title: { title: ['标题', 'Title'] },
  status: {
    title: ['状态', 'Status'],
    kind: 'enum',
    options: {
      ...onOff,
      ...staffStates,
      draft: ['草稿', 'Draft'],
      online: ['已上线', 'Online'],
      offline: ['已下线', 'Offline'],
      ended: ['已结束', 'Ended'],
      open: ['开放', 'Open'],
      paused: ['暂停', 'Paused'],
      preparing: ['筹备中', 'Preparing'],
      closed: ['已关闭', 'Closed'],
    },
  },
  state: { title: ['状态', 'State'] },
  sort: { title: ['排序', 'Order'], kind: 'number' },
  order: { title: ['顺序', 'Order'], kind: 'list' },
  remark: { title: ['备注', 'Remark'] },
  note: { title: ['说明', 'Note'] },
  reason: { title: ['原因', 'Reason'] },
  image: { title: ['图片', 'Picture'] },
  images: { title: ['图片', 'Pictures'], kind: 'list' },
  phone: { title: ['手机号', 'Phone'] },
  email: { title: ['邮箱', 'Email'] },
  address: { title: ['地址', 'Address'] },
  city_id: { title: ['城市', 'City'], kind: 'name', of: 'city' },
  city_ids: { title: ['城市', 'Cities'], kind: 'names', of: 'city' },
  mid: { title: ['商场', 'Mall'], kind: 'name', of: 'mall' },
  mall_id: { title: ['商场', 'Mall'], kind: 'name', of: 'mall' },
  store_id: { title: ['门店', 'Store'], kind: 'name', of: 'store' },
  store_ids: { title: ['门店', 'Stores'], kind: 'names', of: 'store' },
  merchant_id: { title: ['商户', 'Merchant'], kind: 'name', of: 'merchant' },
  product_id: { title: ['商品', 'Product'], kind: 'name', of: 'product' },
  member_id: { title: ['会员', 'Member'], kind: 'name', of: 'member' },
  admin_id: { title: ['员工', 'Staff'], kind: 'name', of: 'admin' },
  department_id: { title: ['部门', 'Department'], kind: 'name', of: 'department' },
  category_id: { title: ['类目', 'Category'], kind: 'name', of: 'category' },
  start_at: { title: ['开始时间', 'From'], kind: 'time' },
  end_at: { title: ['结束时间', 'Until'], kind: 'time' },
  until_at: { title: ['有效至', 'Until'], kind: 'time' },
  hours: { title: ['小时数', 'Hours'], kind: 'number' },
  days: { title: ['天数', 'Days'], kind: 'number' },
  from: { title: ['自', 'From'], kind: 'time' },
  to: { title: ['至', 'To'], kind: 'time' },
  ip: { title: ['IP', 'IP'] },
  account: { title: ['账号', 'Account'] },
  version: { title: ['版本', 'Version'], kind: 'number' },
  id: { title: ['编号', 'ID'], kind: 'number' },
  ids: { title: ['编号', 'IDs'], kind: 'list' },
  format: { title: ['文件格式', 'Format'] },
  keyword: { title: ['关键词', 'Keyword'] },
  tasks: { title: ['任务数', 'Tasks'], kind: 'number' },
  ended: { title: ['已结束', 'Ended'], kind: 'flag' },
  mode: { title: ['方式', 'How'] },
  shift_days: { title: ['顺延天数', 'Days on'], kind: 'number' },
  field: { title: ['查看的字段', 'Field seen'], kind: 'keys', of: 'field' },
  block: { title: ['推荐位', 'Board'], kind: 'enum', options: blocks },
  backup_no: { title: ['备份号', 'Backup'] },
  copy_from_mid: { title: ['复制自商场', 'Copied from'], kind: 'name', of: 'mall' },
  copy_to_mids: { title: ['复制到商场', 'Copied to'], kind: 'names', of: 'mall' },
  already: { title: ['此前已完成', 'Done before'], kind: 'flag' },
  contract_no: { title: ['合同号', 'Contract'] },
  page: { title: ['页面', 'Page'] },
  lng: { title: ['经度', 'Longitude'] },
  lat: { title: ['纬度', 'Latitude'] },
  code: { title: ['编码', 'Code'] },
  kind: { title: ['类型', 'Kind'] },
  type: { title: ['类型', 'Type'] },
}
/**
 * An area says its object types in its `words.ts`, by the names its handlers give to `log` and the
 * wire names of `before` and `after`:
 *
 * ```ts
 * banner: { title: ['轮播图', 'Banner'], fields: { start_at: { title: ['开始', 'From'], kind: 'time' } } }
 * ```
 *
 * `kind` says how a value is read: cents as yuan, unix seconds as a time, codes by their labels, ids
 * by the name of what they stand for. `guard` names the field rule (table field_key) that a value
 * falls under where it isn't `<object_type>.<field>`.
 *
 * A type or field that no area names is still shown: by the common names above, by what its ending
 * says (`_cents`, `_at`, `_bp`), and under the strictest rule of any guarded field of that name.
 */
const files = import.meta.glob<{ logged: Readonly<Record<string, ObjectWord>> }>('../*/words.ts', {
  eager: true,
})
/** Every object type that a handler logs, from the words of its area. */
export const objects: Readonly<Record<string, ObjectWord>> = Object.assign(
  {},
  ...Object.values(files).map(file => file.logged),
) as Readonly<Record<string, ObjectWord>>

/** A data scope's type and places as one value: `[all]`, or `[city:1, city:2]`. */
const placesOf = (type: string, ids: readonly unknown[]): string[] =>
  ids.length > 0 && (type === 'city' || type === 'mall')
    ? ids.map(id => `${type}:${String(id)}`)
    : [type]
/** The fields of a change, a data scope's two as one: its ids say nothing without its type. */
const foldScope = (of: Record<string, unknown>): Record<string, unknown> => {
  const { scope_type, scope_ids, ...more } = of
  if (typeof scope_type !== 'string' || !Array.isArray(scope_ids)) return of
  return { ...more, scope: placesOf(scope_type, scope_ids) }
}
/** The entry of a key that a person may have typed: `__proto__` and its like are no entries. */
export const entryOf = <T>(of: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(of, key) ? of[key] : undefined

export const objectTitle = (object_type: string): Text =>
  entryOf(objects, object_type)?.title ?? [object_type, object_type]
const bySuffix = (field: string): FieldWord => {
  const title: Text = [field, field]
  if (field.endsWith('_cents')) return { title, kind: 'money' }
  if (field.endsWith('_at') || field.endsWith('_until')) return { title, kind: 'time' }
  if (field.endsWith('_bp')) return { title, kind: 'percent' }
  return { title }
}
/**
 * What a field is called and how its values are read. A field of an offer has its name in any
 * object.
 */
export const fieldWord = (object_type: string, field: string): FieldWord => {
  const own =
    entryOf(entryOf(objects, object_type)?.fields ?? {}, field) ??
    entryOf(common, field) ??
    entryOf(offerFields, field) ??
    bySuffix(field)
  // The ending says what the unit is where nobody said it.
  return own.kind ? own : ({ ...bySuffix(field), ...own } as FieldWord)
}

/**
 * The field that a question of a form sets: by its own name, or by the id of what it is called
 * after.
 */
export const loggedField = (object_type: string, name: string): string | undefined => {
  const own = entryOf(objects, object_type)?.fields
  return (
    own &&
    [name, `${name}_id`, `${name}_ids`].find(field => entryOf(own, field) ?? entryOf(common, field))
  )
}

/**
 * The reader, as far as guarded values are concerned: the guarded keys there are, each with its
 * mask, and the reader's rule for each.
 */
export type Reader = {
  masks: Readonly<Record<string, MaskRule>>
  mode: (key: string) => 'show' | 'mask' | 'hide'
}
const strictness = { show: 0, mask: 1, hide: 2 } as const
/** The guarded keys that a field of an object falls under. */
export const guardsFor = (
  object_type: string,
  field: string,
  known: readonly string[],
): readonly string[] => {
  const word = entryOf(entryOf(objects, object_type)?.fields ?? {}, field)
  if (word?.guard) return [word.guard]
  const exact = `${object_type}.${field}`
  if (known.includes(exact)) return [exact]
  // A task tells of its product.
  if (object_type === 'audit_task' && known.includes(`product.${field}`))
    return [`product.${field}`]
  return word ? [] : known.filter(key => key.endsWith(`.${field}`))
}
const rule = (
  object_type: string,
  field: string,
  { masks, mode }: Reader,
): { mode: 'show' | 'mask' | 'hide'; mask: MaskRule } => {
  let found: { mode: 'show' | 'mask' | 'hide'; mask: MaskRule } = { mode: 'show', mask: 'all' }
  for (const key of guardsFor(object_type, field, Object.keys(masks))) {
    const now = mode(key)
    if (strictness[now] > strictness[found.mode]) found = { mode: now, mask: masks[key] ?? 'all' }
  }
  return found
}

export type Names = (of: Named | Keyed, id: number | string) => string | undefined
type Around = { object_type: string; lang: Lang; names: Names; reader: Reader }
const plainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An option in words; a key that nobody named as it is. */
const optionWords = (options: Readonly<Record<string, Text>>, key: string, lang: Lang): string =>
  say(entryOf(options, key) ?? [key, key], lang)
const label = (one: unknown, word: FieldWord, lang: Lang): string =>
  word.kind === 'enum' || word.kind === 'enums'
    ? optionWords(word.options, String(one), lang)
    : String(one)
const nameOf = (id: unknown, word: FieldWord, names: Names): string =>
  (word.kind === 'name' || word.kind === 'names') && typeof id === 'number'
    ? (names(word.of, id) ?? `#${id}`)
    : String(id)
const entryWords = (
  field: string,
  one: unknown,
  around: Around,
  word: FieldWord,
): string | null => {
  if (plainObject(one)) return objectWords(one, around)
  if (word.kind === 'names') return nameOf(one, word, around.names)
  if (word.kind === 'enums') return label(one, word, around.lang)
  return valueWords(field, one, around, word)
}
const numberWords = (value: number, word: FieldWord, { lang, names }: Around): string | null => {
  if (word.kind === 'money') return `¥${yuan(value)}`
  if (word.kind === 'time') return value === 0 ? null : timeFull(value)
  if (word.kind === 'percent') return percent(value)
  if (word.kind === 'name') return value === 0 ? null : nameOf(value, word, names)
  return plainWords(value, word, lang)
}
const plainWords = (value: unknown, word: FieldWord, lang: Lang): string =>
  word.kind === 'enum' ? label(value, word, lang) : saidIn(String(value), lang)
const keysWords = (value: unknown, of: Keyed, { lang, names }: Around): string | null =>
  [value]
    .flat()
    .map(key => names(of, String(key)) ?? String(key))
    .join(say(comma, lang)) || null
const rulesWords = (
  value: Record<string, unknown>,
  word: FieldWord & { kind: 'rules' },
  { lang, names }: Around,
): string | null =>
  Object.entries(value)
    .map(
      ([key, said]) =>
        `${names(word.of, key) ?? key} ${optionWords(word.options, String(said), lang)}`,
    )
    .join(say(clause, lang)) || null
/**
 * A value in words; null for none. What the reader may not see is masked or left out, however deep
 * it stands.
 */
export const valueWords = (
  field: string,
  value: unknown,
  around: Around,
  word: FieldWord = fieldWord(around.object_type, field),
): string | null => {
  const { object_type, lang, reader } = around
  if (value === null || value === undefined || value === '') return null
  const { mode, mask } = rule(object_type, field, reader)
  if (mode === 'hide' || (mode === 'mask' && typeof value !== 'string')) return '****'
  if (mode === 'mask') return masked(mask, value as string)
  if (word.kind === 'scope' && typeof value === 'string') return placeWords(value, word, around)
  if (word.kind === 'keys') return keysWords(value, word.of, around)
  if (Array.isArray(value)) {
    const words = value.map(one => entryWords(field, one, around, word)).filter(one => one !== null)
    return words.length > 0 ? words.join(say(comma, lang)) : null
  }
  if (plainObject(value))
    return word.kind === 'rules' ? rulesWords(value, word, around) : objectWords(value, around)
  if (typeof value === 'boolean') return say(value ? ['是', 'Yes'] : ['否', 'No'], lang)
  if (typeof value === 'number') return numberWords(value, word, around)
  return plainWords(value, word, lang)
}
/** Names a place of a data scope, or the scope where it has no places. */
const placeWords = (
  value: string,
  word: FieldWord & { kind: 'scope' },
  { names, lang }: Around,
): string => {
  const [type, id] = value.split(':') as [string, string | undefined]
  if (id !== undefined) return names(type as Named, Number(id)) ?? `#${id}`
  return optionWords(word.options, type, lang)
}
const objectWords = (value: Record<string, unknown>, around: Around): string | null => {
  const parts = Object.entries(value).flatMap(([key, inner]) => {
    const words = valueWords(key, inner, around)
    return words === null
      ? []
      : [`${say(fieldWord(around.object_type, key).title, around.lang)} ${words}`]
  })
  return parts.length > 0 ? parts.join(say(clause, around.lang)) : null
}

/** One field of a change, in words. `added` and `removed` tell a list's difference. */
export type Change = {
  field: string
  title: string
  before: string | null
  after: string | null
  added?: string[]
  removed?: string[]
}
const listWords = (field: string, value: unknown, around: Around): string[] =>
  Array.isArray(value) ? value.flatMap(one => valueWords(field, [one], around) ?? []) : []

/** Where in a nested object a field stands; `word` is that of the object. */
type Within = { path: readonly string[]; titles: readonly string[]; word?: FieldWord }
const isSame = (was: unknown, is: unknown): boolean =>
  JSON.stringify(was ?? null) === JSON.stringify(is ?? null)
/** What a row carries for its own sake. */
const ownUse = new Set(['version', 'request_id'])
/** Whether a change is one of inner fields: an object on a side, and nothing else on the other. */
const isInner = (was: unknown, is: unknown): boolean => {
  const mayBe = (side: unknown) => plainObject(side) || side === undefined || side === null
  return (plainObject(was) || plainObject(is)) && mayBe(was) && mayBe(is)
}
/** Whether a guarded change is not told at all: only a text can be masked. */
const withholds = (mode: 'show' | 'mask' | 'hide', sides: readonly unknown[]): boolean => {
  if (mode === 'hide') return true
  const isNoText = (side: unknown) =>
    side !== null && side !== undefined && typeof side !== 'string'
  return mode === 'mask' && sides.some(isNoText)
}
const wordWithin = (field: string, within: FieldWord | undefined, around: Around): FieldWord => {
  if (within?.kind !== 'rules') return fieldWord(around.object_type, field)
  const name = around.names(within.of, field) ?? field
  return { title: [name, name], kind: 'enum', options: within.options }
}
/** What a list gained and lost, where there is one on both sides. */
const listChange = (
  field: string,
  was: unknown,
  is: unknown,
  around: Around,
): Pick<Change, 'added' | 'removed'> => {
  if (!Array.isArray(was) || !Array.isArray(is)) return {}
  const [old, now] = [listWords(field, was, around), listWords(field, is, around)]
  return {
    added: now.filter(one => !old.includes(one)),
    removed: old.filter(one => !now.includes(one)),
  }
}

/**
 * What a row of the log changed, field by field, in words and by the reader's rules: `withheld`
 * fields are not told at all. A change inside a nested object is told by the inner field; a field
 * that is the same on both sides is no change.
 */
export const changesOf = (
  of: { object_type: string; before: unknown; after: unknown },
  lang: Lang,
  names: Names,
  reader: Reader,
): { changes: Change[]; withheld: number } => {
  const around: Around = { object_type: of.object_type, lang, names, reader }
  const known = Object.keys(entryOf(objects, of.object_type)?.fields ?? {})
  const changes: Change[] = []
  let withheld = 0
  // In the order of the registry: a database keeps keys in one of its own.
  const place = (field: string) => {
    const at = known.indexOf(field)
    return at < 0 ? known.length : at
  }
  const walk = (
    before: Record<string, unknown>,
    after: Record<string, unknown>,
    within: Within,
  ) => {
    for (const field of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(
      (a, b) => place(a) - place(b),
    )) {
      const [was, is] = [before[field], after[field]]
      if (isSame(was, is) || (within.path.length === 0 && ownUse.has(field))) continue
      if (withholds(rule(of.object_type, field, reader).mode, [was, is])) {
        withheld++
        continue
      }
      const word = wordWithin(field, within.word, around)
      const path = [...within.path, field]
      const titles = [...within.titles, say(word.title, lang)]
      if (isInner(was, is)) {
        walk(plainObject(was) ? was : {}, plainObject(is) ? is : {}, { path, titles, word })
        continue
      }
      changes.push({
        field: path.join('.'),
        title: titles.join(' · '),
        before: valueWords(field, was, around, word) ?? noneWords(was, word, lang),
        after: valueWords(field, is, around, word) ?? noneWords(is, word, lang),
        ...listChange(field, was, is, around),
      })
    }
  }
  const side = (value: unknown) => (plainObject(value) ? foldScope(value) : {})
  walk(side(of.before), side(of.after), { path: [], titles: [] })
  return { changes, withheld }
}

/** What nothing means there; null for a field that was not yet, or is no more. */
const noneWords = (value: unknown, { none }: FieldWord, lang: Lang): string | null =>
  value === undefined || !none ? null : say(none, lang)
/** Keeps an id whose name is needed, where it can be one. */
const keepId = (found: Map<Named, Set<number>>, of: Named, id: unknown) => {
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0 || id > 2_147_483_647) return
  found.set(of, (found.get(of) ?? new Set<number>()).add(id))
}

/** The ids whose names a change needs, by what they stand for. */
export const namesNeeded = (
  object_type: string,
  value: unknown,
  found: Map<Named, Set<number>> = new Map(),
): Map<Named, Set<number>> => {
  if (Array.isArray(value)) for (const one of value) namesNeeded(object_type, one, found)
  if (!plainObject(value)) return found
  for (const [field, inner] of Object.entries(foldScope(value))) {
    const word = fieldWord(object_type, field)
    if (word.kind === 'name' || word.kind === 'names')
      for (const id of [inner].flat()) keepId(found, word.of, id)
    else if (word.kind === 'scope')
      for (const place of [inner].flat()) {
        const [of, id] = String(place).split(':')
        if (of === 'city' || of === 'mall') keepId(found, of, Number(id))
      }
    else namesNeeded(object_type, inner, found)
  }
  return found
}

import { z } from 'zod'
import { BETWEEN, comma, saidIn, say, type Lang, type Text } from '#src/domain/text.ts'
import { passwordRule } from '#src/domain/validate.ts'

/**
 * What is wrong with a field and how to mend it; keys are zod's, or the `message` that a schema of
 * ours gives.
 */
const texts = {
  required: ['必填，请填写', 'Required'],
  unknown: ['没有这个字段，请去掉', 'There is no such field, remove it'],
  text: ['须为文字', 'Must be text'],
  whole: ['须为整数', 'Must be a whole number'],
  number: ['须为数字', 'Must be a number'],
  range: ['数字超出可保存的范围', 'The number is beyond what can be kept'],
  yesNo: ['须为是或否', 'Must be yes or no'],
  list: ['须为列表', 'Must be a list'],
  object: ['须为一组字段', 'Must be a set of fields'],
  kind: ['格式不正确', 'Wrong form'],
  choice: ['须为其中之一：{options}', 'Must be one of: {options}'],
  choiceLong: ['不在可选范围内', 'Not among the choices'],
  shortText: ['至少 {n} 个字', 'At least {n} characters'],
  emptyText: ['不能为空', 'Can not be empty'],
  longText: ['最多 {n} 个字', 'At most {n} characters'],
  fewRows: ['至少 {n} 项', 'At least {n} entries'],
  manyRows: ['最多 {n} 项', 'At most {n} entries'],
  low: ['不能小于 {n}', 'Not below {n}'],
  high: ['不能大于 {n}', 'Not above {n}'],
  begin: ['请同时填写开始时间', 'Say when it begins too'],
  password: passwordRule,
  bigJson: ['内容过大，最多 64 KB，请精简后再保存', 'Too large: at most 64 KB, make it smaller'],
  deepJson: ['嵌套过深，最多 16 层', 'Nested too deep: at most 16 levels'],
  含有无法保存的字符: [
    '含有无法保存的字符，请删除后重试',
    'Holds characters that can not be kept, delete them',
  ],
} satisfies Record<string, Text>

const isKnown = (key: string): key is keyof typeof texts => Object.hasOwn(texts, key)

const expectedTexts: Record<string, Text> = {
  string: texts.text,
  number: texts.number,
  int: texts.whole,
  boolean: texts.yesNo,
  array: texts.list,
  object: texts.object,
  record: texts.object,
}

/** A value below its least, or beyond its most. */
const boundText = (origin: string, n: number, small: boolean, lang: Lang): string => {
  if (origin === 'string')
    return small && n === 1
      ? say(texts.emptyText, lang)
      : say(small ? texts.shortText : texts.longText, lang, { n })
  if (origin === 'array' || origin === 'set' || origin === 'map')
    return say(small ? texts.fewRows : texts.manyRows, lang, { n })
  return Math.abs(n) >= Number.MAX_SAFE_INTEGER
    ? say(texts.range, lang)
    : say(small ? texts.low : texts.high, lang, { n })
}
/** One issue of zod in the person's language. */
const told = (issue: z.core.$ZodIssue, value: unknown, lang: Lang): string => {
  if (isKnown(issue.message)) return say(texts[issue.message], lang)
  // A rule of ours, with words of its own in both languages.
  if (issue.message.includes(BETWEEN)) return saidIn(issue.message, lang)
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined || value === null) return say(texts.required, lang)
      return say(expectedTexts[issue.expected] ?? texts.kind, lang)
    case 'too_small':
      return boundText(issue.origin, Number(issue.minimum), true, lang)
    case 'too_big':
      return boundText(issue.origin, Number(issue.maximum), false, lang)
    case 'invalid_value':
      return issue.values.length <= 12
        ? say(texts.choice, lang, {
            options: issue.values.map(String).join(say(comma, lang)),
          })
        : say(texts.choiceLong, lang)
    case 'custom':
      return issue.message && issue.message !== 'Invalid input'
        ? issue.message
        : say(texts.kind, lang)
    default:
      return say(texts.kind, lang)
  }
}

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  )
const nameOf = (path: readonly PropertyKey[]): string =>
  path.map(key => String(key).slice(0, 60)).join('.')

type Def = {
  type: string
  innerType?: z.ZodType
  element?: z.ZodType
  valueType?: z.ZodType
  options?: z.ZodType[]
  in?: z.ZodType
  getter?: () => z.ZodType
  catchall?: z.ZodType
}
const defOf = (schema: z.ZodType): Def => (schema as unknown as { _zod: { def: Def } })._zod.def

/**
 * Paths of the keys that a schema doesn't have. Zod drops them silently; we refuse them, so that a
 * misspelt field is not a lost change.
 */
const strangers = (
  schema: z.ZodType,
  value: unknown,
  path: readonly PropertyKey[] = [],
): (readonly PropertyKey[])[] => {
  if (typeof value !== 'object' || value === null) return []
  const def = defOf(schema)
  if (schema instanceof z.ZodObject) {
    const shape = schema.shape as Record<string, z.ZodType>
    const takesOthers = def.catchall !== undefined && def.catchall._zod.def.type !== 'never'
    return Object.entries(value).flatMap(([key, inner]) => {
      if (Object.hasOwn(shape, key)) return strangers(shape[key]!, inner, [...path, key])
      return takesOthers ? [] : [[...path, key]]
    })
  }
  if (def.type === 'array' && Array.isArray(value))
    return value.flatMap((inner, i) => strangers(def.element!, inner, [...path, i]))
  if (def.type === 'record')
    return Object.entries(value).flatMap(([key, inner]) =>
      strangers(def.valueType!, inner, [...path, key]),
    )
  if (def.type === 'union') {
    const each = (def.options ?? []).map(option => strangers(option, value, path))
    return each.find(found => found.length === 0) ?? each[0] ?? []
  }
  if (def.type === 'lazy') return strangers(def.getter!(), value, path)
  const inner = def.innerType ?? def.in
  return inner ? strangers(inner, value, path) : []
}

/** At most so many fields are named in one answer. */
const MOST = 50

/** The parsed input, or what is wrong at each field: `tasks.0.version` → a sentence. */
export const parseInput = (
  schema: z.ZodType,
  value: unknown,
  lang: Lang,
): { input: unknown } | { fields: Record<string, string> } => {
  const parsed = schema.safeParse(value)
  const fields: [string, string][] = parsed.success
    ? []
    : parsed.error.issues.map(issue => [
        nameOf(issue.path) || '_',
        told(issue, at(value, issue.path), lang),
      ])
  for (const path of strangers(schema, value)) fields.push([nameOf(path), say(texts.unknown, lang)])
  if (fields.length > 0) return { fields: Object.fromEntries(fields.slice(0, MOST)) }
  return { input: parsed.data }
}

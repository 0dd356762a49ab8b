import type { ChangedBy } from '#src/contract/envelope.ts'
import { saidIn, say, type Lang, type Text } from '#src/domain/text.ts'
import type { Db } from './implement.ts'

/**
 * A call refused for a reason the caller can act on. Never 200 or 504: the client takes both as
 * success.
 */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly text: Text,
    readonly values: Readonly<Record<string, string | number>> = {},
    readonly data: Readonly<Record<string, unknown>> = {},
  ) {
    super(say(text, 'zh', values))
    this.name = 'Refusal'
  }
  /** Writes what stays of it though its call is taken back, in a transaction of its own. */
  keeps?(tx: Db): Promise<void>
  in(lang: Lang): string {
    return say(this.text, lang, this.values)
  }
  /** The data as the reader gets it: faults of fields in their language. */
  dataIn(lang: Lang): Readonly<Record<string, unknown>> {
    const fields = this.data['fields'] as Record<string, string | Text> | undefined
    if (!fields) return this.data
    const said = Object.entries(fields).map(([path, fault]) => [path, saidIn(fault, lang)])
    return { ...this.data, fields: Object.fromEntries(said) }
  }
}

/**
 * 422: a rule of the trade. `rule` is its code, `data.current` the row as it stands now, where that
 * helps.
 */
export const ruled = (
  rule: string,
  text: Text,
  values?: Record<string, string | number>,
  data?: object,
) => new Refusal(422, text, values, { rule, ...data })
/**
 * 409: the row changed since it was read; `current` is the row as it stands now, `by` who changed
 * it last and when, where that is known.
 */
export const conflict = (
  text: Text,
  values?: Record<string, string | number>,
  current?: unknown,
  by?: ChangedBy,
) => new Refusal(409, text, values, { rule: 'stale', current, ...(by && { by }) })
/** 404: not there, or outside the caller's scope: the two are not told apart. */
export const missing = () =>
  new Refusal(404, ['没有找到，或不在你的数据范围内', 'Not found, or outside your data scope'])
export const forbidden = () => new Refusal(403, ['没有权限进行此操作', 'You may not do this'])
/**
 * 400: input that a schema can't catch; `fields` names the fault at each path, in both languages
 * where who refuses does not know the reader: the answer says it in theirs.
 */
export const invalid = (fields: Record<string, string | Text>) =>
  new Refusal(400, ['提交的内容有误，请检查标出的项目', 'Check the marked fields'], {}, { fields })

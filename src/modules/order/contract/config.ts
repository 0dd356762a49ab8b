import { z } from 'zod'
import { configScopes, type ConfigScope } from '#src/areas/order/configScope.ts'
import { ruleFields, type RuleField } from '#src/areas/order/orderRuleFields.ts'
import { storeScopes, type OrderRules, type RuleName } from '#src/areas/order/orderRules.ts'
import { read, write } from '#src/contract/call.ts'
import {
  cents,
  id,
  lines,
  listOf,
  open,
  page,
  phoneText,
  text,
  unix,
} from '#src/contract/shapes.ts'
import type { Text } from '#src/domain/text.ts'

export const sender = z.object({
  name: text(32),
  phone: open('A warehouse’s', phoneText()),
  area: text(6),
  address: open('A warehouse’s', text(120)),
  courier: text(32, 0),
  customer_no: text(40, 0),
  is_default: z.boolean(),
})
/** The shape of one rule, by the bounds of its field. */
const shapeOf = (field: RuleField): z.ZodType => {
  switch (field.kind) {
    case 'number': {
      const n = z.int().min(field.min).max(field.max)
      return field.none ? n.nullable() : n
    }
    case 'money':
    case 'percent':
      return z.int().min(field.min).max(field.max)
    case 'choice':
      return z.enum(Object.keys(field.options) as [string])
    case 'flag':
      return z.boolean()
    case 'days':
      return z.array(z.int().min(field.min).max(field.max)).max(field.most)
    case 'areas':
      return z.array(text(6)).max(400)
    case 'senders':
      return z.array(sender).max(field.most)
  }
}
const shapes = Object.fromEntries(
  (Object.keys(ruleFields) as RuleName[]).map(name => [name, shapeOf(ruleFields[name])]),
)
/**
 * Rules as they stand, and some of them as they shall be; of a kind those that mean nothing for it
 * are refused by the server.
 */
const rules = z.object(shapes) as unknown as z.ZodType<OrderRules, OrderRules>
const someRules = z.strictObject(shapes).partial() as unknown as z.ZodType<
  Partial<OrderRules>,
  Partial<OrderRules>
>

const words = z.tuple([z.string(), z.string()]) as unknown as z.ZodType<Text, Text>
const change = z.object({
  field: z.string(),
  title: words,
  before: words,
  after: words,
  refund: z.boolean(),
})
const count = z.object({ n: z.int(), cents: cents.optional() })
const scope = z.enum(Object.keys(configScopes) as [ConfigScope])
const version_no = z.int().min(0).max(2147483647)

const configRow = z.object({
  id,
  kind: scope,
  version_no,
  fields: rules,
  reason: z.string(),
  effective_at: unix.nullable(),
  by: z.string(),
  /** Orders not over yet: they keep the rules they were made under. */ running: z.int(),
  on_sale: z.int(),
})
export type ConfigRow = z.output<typeof configRow>
/** A version: what it changed, and what going back to it would change now. */
export const configVersion = z.object({
  id,
  name: z.string(),
  kind: scope,
  version_no,
  state: z.enum(['current', 'old']),
  reason: z.string(),
  effective_at: unix,
  by: z.string(),
  changes: z.array(change),
  back: z.array(change),
})
export type ConfigVersion = z.output<typeof configVersion>
const effects = z.object({
  from: unix,
  to: unix,
  orders: z.int(),
  running: z.int(),
  effects: z.array(z.object({ field: z.string(), what: words, before: count, after: count })),
})
const saved = z.object({ kind: scope, version_no })
const reason = lines(255, 2)
/** `confirm`: a second yes, without which no rule about refunds is changed. */
const confirm = z.boolean().default(false)

/** The calls about the rules of some kinds, the same on both pages. */
export const rulesCalls = (
  of: 'config' | 'settings',
  kinds: readonly [ConfigScope, ...ConfigScope[]],
) => {
  const kind = z.enum(kinds)
  const permit = (verb: string) => `order.${of}.${verb}`
  const touches = ['order_config'] as const
  return {
    lst: read(`order/${of}/lst`, ['订单规则', 'Order rules'], {
      input: z.object({}),
      output: z.object({
        list: z.array(configRow),
        /** The most that whoever reads may agree to alone. */ refund_limit_cents: cents,
      }),
      touches: ['order_config', 'product'],
      scope: 'all',
      permit: permit('view'),
    }),
    /** `version_no` is the version that the change began from. */
    save: write(`order/${of}/save`, ['保存订单规则', 'Save order rules'], {
      input: z.object({ kind, version_no, fields: someRules, reason, confirm }),
      output: saved,
      touches,
      scope: 'all',
      permit: permit('save'),
    }),
    rollback: write(`order/${of}/rollback`, ['回滚订单规则', 'Go back to a version'], {
      input: z.object({ kind, version_no, to: version_no, reason, confirm }),
      output: saved,
      touches,
      scope: 'all',
      permit: permit('rollback'),
    }),
    history: read(`order/${of}/history`, ['规则变更历史', 'Versions of rules'], {
      input: z.object({ kind, ...page }),
      output: listOf(configVersion),
      touches,
      scope: 'all',
      permit: permit('history'),
    }),
    /** The orders of the last 30 days that would have gone otherwise. */
    simulate: read(`order/${of}/simulate`, ['试算规则影响', 'What new rules would do'], {
      method: 'POST',
      input: z.object({ kind, fields: someRules }),
      output: effects,
      touches: ['order_config'],
      scope: 'all',
      permit: permit('simulate'),
    }),
  }
}
export type RulesCalls = ReturnType<typeof rulesCalls>
export const config = rulesCalls('config', storeScopes)

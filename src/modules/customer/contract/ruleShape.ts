import { z } from 'zod'
import { RULE_CONDITIONS, RULE_IDS } from '#src/areas/segment/rule.ts'
import { ruleFields, ruleOps } from '#src/areas/segment/ruleFields.ts'
import { id, keysOf, keyText } from '#src/contract/shapes.ts'

const key = z.int().min(1).max(9999)
const ids = z.array(id).max(RULE_IDS)
const bound = z.int().min(0).max(10_000_000_000)
/** Groups and conditions of a rule; each group holds one condition at least. */
const NODES_MOST = 3 * RULE_CONDITIONS
const ruleNode = z.object({
  key,
  parent: key.nullable(),
  is: keysOf({ all: 0, any: 0, ...ruleFields }),
  not: z.boolean().default(false),
  op: keysOf(ruleOps).optional(),
  picks: z.array(keyText(24, 1)).max(RULE_IDS).optional(),
  ids: ids.optional(),
  /** Cents of an amount, else whole numbers. */
  from: bound.optional(),
  to: bound.optional(),
  days: z.int().min(1).max(3650).optional(),
  malls: ids.optional(),
})
export const ruleShape = z.object({
  joins: z.enum(['all', 'any']),
  nodes: z.array(ruleNode).max(NODES_MOST),
})

import { z } from 'zod'
import { CARD_MONEY_MOST, NAME_WIDE } from '#src/areas/ecard/card.ts'
import {
  cardTypes,
  codeSources,
  refundRules,
  validTypes,
  type CardType,
  type CodeSource,
  type RefundRule,
  type ValidType,
} from '#src/areas/ecard/ecard.ts'
import { suppliers, type Supplier } from '#src/areas/ecard/suppliers.ts'
import { id, keysOf, keyText, lines, text, unix } from '#src/contract/shapes.ts'

const money = z.int().min(1).max(CARD_MONEY_MOST).nullable()
const limit = z.int().min(1).max(10_000).nullable()
const ids = z.array(id).max(500)
/** What the form of a card writes; its rules are told by `cardFaults`. */
export const cardFields = {
  name: text(NAME_WIDE, 2),
  type: keysOf<CardType>(cardTypes),
  named: z.boolean(),
  store_id: id,
  cover: keyText(255),
  arts: z.array(keyText(255, 1)).max(6),
  supplier: z.union([keysOf<Supplier>(suppliers), z.literal('')]),
  source: keysOf<CodeSource>(codeSources),
  custom_min_cents: money,
  custom_max_cents: money,
  custom_step_cents: money,
  valid_type: keysOf<ValidType>(validTypes),
  valid_until: unix.nullable(),
  valid_days: z.int().min(1).max(36_500).nullable(),
  scope: z.object({ mall_ids: ids, store_ids: ids, category_ids: ids }),
  gift: z.boolean(),
  greetings: z.array(text(60)).max(10),
  limits: z.object({ order: limit, day: limit, person: limit }),
  refund_rule: keysOf<RefundRule>(refundRules),
  bonus: z.boolean(),
  notice: lines(2000, 0),
  agreement: lines(20_000, 0),
  stock_alert: z.int().min(0).max(1_000_000),
}

import { z } from 'zod'
import { shopScopes } from '#src/areas/order/orderRules.ts'
import { freightModes, type FreightMode } from '#src/areas/shipping/freight.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { changes, creates, lists, reason } from '#src/contract/record.ts'
import { cents, id, searched, text, unix, version } from '#src/contract/shapes.ts'
import type { Text } from '#src/domain/text.ts'
import { rulesCalls, sender } from './config.ts'

const areas = z.array(text(6)).max(400) as unknown as z.ZodType<
  readonly string[],
  readonly string[]
>
const int = z.int().min(-2147483648).max(2147483647)
const words = z.tuple([z.string(), z.string()]) as unknown as z.ZodType<Text, Text>
/**
 * What may stand in a template at all; what makes it a sound one is `freightFaults`
 * (areas/shipping/freight.ts).
 */
const template = {
  name: text(64),
  mode: z.enum(Object.keys(freightModes) as [FreightMode]),
  regions: z
    .array(z.object({ areas, first: int, first_cents: int, next: int, next_cents: int }))
    .max(60),
  free_rules: z
    .array(
      z.object({
        areas,
        over_cents: z.int().min(-2147483648).max(100_000_000_00).optional(),
        over_units: int.optional(),
      }),
    )
    .max(60)
    .default([]),
  no_delivery: areas.default([]),
}
export const templateRow = z.object({
  id,
  name: z.string(),
  mode: template.mode,
  regions: template.regions,
  free_rules: template.free_rules.unwrap(),
  no_delivery: areas,
  merchant_id: id.nullable(),
  merchant_name: z.string(),
  /** Products on sale that are sent by it. */
  used: z.int(),
  /** What is wrong with it: gaps that came with new places, or from before they were looked for. */ faults:
    z.array(z.object({ at: z.string(), text: words })),
  updated_at: unix,
  version,
})
export type TemplateRow = z.output<typeof templateRow>

const shared = rulesCalls('settings', shopScopes)
const kind = z.enum(shopScopes).default('elist')
const touches = ['freight_template'] as const
const saved = z.object({ kind: z.string(), version_no: z.int() })
const based = { kind, version_no: z.int().min(0).max(2147483647), reason }

export const settings = {
  ...shared,
  templates: lists('order/settings/templates', ['运费模板', 'Freight templates'], {
    filters: { keyword: searched(64).optional() },
    row: templateRow,
    touches: [...touches, 'product'],
    scope: placed('freight_template'),
    permit: 'order.settings.view',
  }),
  addTemplate: creates('order/settings/addTemplate', ['新增运费模板', 'New freight template'], {
    fields: template,
    touches,
    scope: 'all',
  }),
  editTemplate: changes(
    'order/settings/editTemplate',
    ['编辑运费模板', 'Edit a freight template'],
    { fields: template, touches, scope: placed('freight_template', 'id') },
  ),
  copyTemplate: creates(
    'order/settings/copyTemplate',
    ['复制运费模板', 'Copy a freight template'],
    { fields: { id, name: template.name }, touches, scope: placed('freight_template', 'id') },
  ),
  delTemplate: changes(
    'order/settings/delTemplate',
    ['删除运费模板', 'Delete a freight template'],
    {
      touches,
      scope: placed('freight_template', 'id'),
    },
  ),
  /** What sending these would cost: by the function that checkout asks. */
  calcFreight: read('order/settings/calcFreight', ['试算运费', 'Test freight'], {
    method: 'POST',
    input: z.object({
      template_id: id,
      kind,
      area: text(120),
      items: z
        .array(
          z.object({
            qty: z.int().min(1).max(10_000),
            price_cents: z.int().min(0).max(100_000_000),
            weight_g: z.int().min(1).max(1_000_000).optional(),
            volume_cm3: z.int().min(1).max(10_000_000).optional(),
          }),
        )
        .min(1)
        .max(50),
    }),
    output: z.object({
      ok: z.boolean(),
      cents: cents.nullable(),
      units: z.int().nullable(),
      how: words,
    }),
    touches: ['freight_template', 'order_config'],
    scope: placed('freight_template', { template_id: 'freight_template' }),
    permit: 'order.settings.calcFreight',
  }),
  setNoDelivery: write(
    'order/settings/setNoDelivery',
    ['设置不配送区域', 'Set where nothing is delivered'],
    {
      input: z.object({ ...based, areas }),
      output: z.object({
        ...saved.shape,
        /** Templates that still name what is closed by this, in full or in part: it goes before them. */ still:
          z.array(z.object({ id, name: z.string(), areas, free: areas })),
      }),
      touches: ['order_config'],
      scope: 'all',
      permit: 'order.settings.setNoDelivery',
    },
  ),
  /**
   * The sender at a place of the list, from 0; without a place a further one, without a sender that
   * one goes.
   */
  setSender: write('order/settings/setSender', ['设置寄件人', 'Set a sender'], {
    input: z.object({ ...based, at: z.int().min(0).max(9).nullable(), sender: sender.nullable() }),
    output: saved,
    touches: ['order_config'],
    scope: 'all',
    permit: 'order.settings.setSender',
  }),
}

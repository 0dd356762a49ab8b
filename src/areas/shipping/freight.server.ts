import { and, eq, inArray, sql } from 'drizzle-orm'
import { freight_template } from '#src/areas/merchant/merchant.table.ts'
import type { OrderRules } from '#src/areas/order/orderRules.ts'
import { product_version } from '#src/areas/product/product.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import {
  areaWords,
  cityOfAddress,
  freightOf,
  inAreas,
  type Freight,
  type FreightLine,
  type FreightTemplate,
} from './freight.ts'

/**
 * The city of an address, where the platform delivers anything of this kind at all: there no
 * template is asked.
 */
const deliveredTo = (
  rules: Pick<OrderRules, 'no_delivery'>,
  address: string,
): { ok: true; city: string } | (Freight & { ok: false }) => {
  const city = cityOfAddress(address)
  if (!city)
    return {
      ok: false,
      why: 'no_place',
      text: [
        `收货地区「${address}」无法识别，请从省市开始填写`,
        `The place ${address} is not known: begin with its province and city`,
      ],
    }
  return inAreas(rules.no_delivery, city)
    ? {
        ok: false,
        why: 'no_delivery',
        text: [
          `平台暂不配送${areaWords([city])}`,
          `The platform delivers nothing to ${areaWords([city])}`,
        ],
      }
    : { ok: true, city }
}
/** Refuses what is sent to where nothing of its kind is delivered. */
export const refuseUndelivered = (
  rules: Pick<OrderRules, 'no_delivery'>,
  address: string,
): void => {
  const to = deliveredTo(rules, address)
  if (!to.ok && to.why === 'no_delivery') throw ruled('no_delivery', to.text)
}
/**
 * What a template asks for sending some lines to an address, under the rules of a kind of order:
 * checkout and the trial of a template both ask here.
 */
export const freightBy = (
  template: FreightTemplate,
  rules: Pick<OrderRules, 'no_delivery'>,
  address: string,
  lines: readonly FreightLine[],
): Freight => {
  const to = deliveredTo(rules, address)
  return to.ok ? freightOf(template, to.city, lines) : to
}

/**
 * The template of each product's live version, or else that of its shop; products without either are
 * sent free of charge. One that was taken off the list meanwhile still holds.
 */
const templatesOf = async (
  tx: Db,
  product_ids: readonly number[],
): Promise<Map<number, { id: number } & FreightTemplate>> => {
  const rows = await tx
    .select({ product_id: product_version.product_id, template: freight_template })
    .from(product_version)
    .innerJoin(
      freight_template,
      eq(
        freight_template.id,
        sql`coalesce((${product_version.body}->>'freight_template_id')::int, (select s.freight_template_id from store s where s.kind = 'online' and s.id = (${product_version.body}->'store_ids'->>0)::int))`,
      ),
    )
    .where(
      and(inArray(product_version.product_id, [...product_ids]), eq(product_version.state, 'live')),
    )
  return new Map(rows.map(row => [row.product_id, row.template]))
}

/**
 * What sending an order to its receiver costs: its lines by their templates, one sum for each.
 * Refuses where nothing is delivered.
 */
export const freightFor = async (
  tx: Db,
  of: {
    rules: Pick<OrderRules, 'no_delivery'>
    area: string
    lines: readonly (FreightLine & { product_id: number })[]
  },
): Promise<number> => {
  const to = deliveredTo(of.rules, of.area)
  if (!to.ok) throw ruled(to.why, to.text)
  const templates = await templatesOf(
    tx,
    of.lines.map(line => line.product_id),
  )
  let cents = 0
  for (const template of new Map([...templates.values()].map(one => [one.id, one])).values()) {
    const said = freightOf(
      template,
      to.city,
      of.lines.filter(line => templates.get(line.product_id)?.id === template.id),
    )
    if (!said.ok) throw ruled(said.why, said.text)
    cents += said.cents
  }
  return cents
}

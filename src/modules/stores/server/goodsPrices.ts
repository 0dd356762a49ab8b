/** Prices of many goods at once: by a rule, after a trial, or variant by variant in a grid. */
import { and } from 'drizzle-orm'
import type { Goods } from '#src/areas/product/goodsRows.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { pricedBy } from '#src/areas/product/shipped.ts'
import {
  setPrices,
  setStock,
  skuOf,
  skusOf,
  type NewPrice,
} from '#src/areas/product/skus.server.ts'
import type { ChangedBy } from '#src/contract/envelope.ts'
import { say, type Text } from '#src/domain/text.ts'
import { tryRows } from '#src/server/call/batch.ts'
import type { Handler, WriteContext } from '#src/server/call/implement.ts'
import { conflict, type Refusal } from '#src/server/call/refuse.ts'
import { staleRow } from '#src/server/call/versions.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import type { goods as contract } from '../contract/goods.ts'
import { goods, needShipped } from './goodsRows.ts'

const words = {
  ok: ['可改', 'OK'],
  in_audit: ['待另一人审核，通过后生效', 'Another person decides it'],
} as const satisfies Record<string, Text>
type Asked = Parameters<Handler<typeof contract.batchEditPrice>>[0]
type Row = Awaited<ReturnType<Handler<typeof contract.batchEditPrice>>>['rows'][number]

/** The prices that a batch gives the variants of a product. */
const pricesBy = async (
  { tx }: WriteContext,
  was: Goods,
  { mode, value }: Asked,
): Promise<NewPrice[]> => {
  const skus = (await skusOf(tx, [was.id])).get(was.id) ?? []
  const of = skus.length > 0 ? skus : [null]
  return of.map(sku => ({
    sku,
    price_cents: pricedBy(mode, value, (sku ?? was).price_cents),
  }))
}
/** Ends a trial: what it changed is rolled back with it. */
class Tried extends Error {}
/** Changes the prices of one product, or tries to and changes nothing. */
const priceOne = async (
  context: WriteContext,
  id: number,
  { asked, row }: { asked: Asked; row: (of: Row) => void },
): Promise<void> => {
  const was = await goods.lock(context, id)
  const expected = asked.expect?.find(one => one.id === id)?.version
  if (expected !== undefined && expected !== was.version) throw await goods.late(context, was)
  const prices = await pricesBy(context, was, asked)
  const shown: Row = {
    id,
    title: was.title,
    version: was.version,
    result: 'failed',
    text: '',
    prices: prices.map(({ sku, price_cents }) => ({
      name: sku?.name ?? '',
      from_cents: (sku ?? was).price_cents,
      to_cents: price_cents,
    })),
  }
  row(shown)
  await needShipped(context, 'editPrice', was)
  const { in_audit } = await setPrices(goods, context, was, { prices, reason: asked.reason })
  const result = in_audit ? 'in_audit' : 'ok'
  row({ ...shown, result, text: say(words[result], context.staff.lang) })
}
/** The handler of a batch of prices; a trial runs all of it, and takes it back. */
export const batchEditPrice: Handler<typeof contract.batchEditPrice> = async (asked, context) => {
  const rows = new Map<number, Row>()
  const ids = [...new Set(asked.ids)].map(id => ({ id }))
  const run = async (doing: WriteContext) => {
    const tried = await tryRows(doing, ids, (inside, { id }) =>
      priceOne(inside, id, { asked, row: of => rows.set(id, of) }),
    )
    for (const { one, error } of tried)
      if (error)
        rows.set(one.id, {
          ...(rows.get(one.id) ?? { id: one.id, title: '', version: 0, prices: [] }),
          result: 'failed',
          text: error.in(context.staff.lang),
        })
  }
  if (asked.dry_run) {
    // Nothing of a trial is logged either.
    const quiet = { ...context, log: () => {}, changed: () => {} }
    await context.tx
      .transaction(async tx => {
        await run({ ...quiet, tx } as WriteContext)
        throw new Tried()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Tried)) throw error
      })
  } else await run(context)
  const { mode, value, reason, dry_run } = asked
  return {
    dry_run,
    asked: { mode, value, reason },
    rows: ids.flatMap(({ id }) => rows.get(id) ?? []),
  }
}

type Edited = Parameters<Handler<typeof contract.saveGrid>>[0]['rows'][number]
const stale = (): Refusal =>
  conflict(['规格已有变化，请重新读取', 'The variant changed: read it again'])
/** Saves a line of a grid: the stock at once, the price last. */
const saveLine = async (context: WriteContext, edited: Edited, reason: string): Promise<Text> => {
  let was = await goods.lock(context, edited.product_id)
  const read = async () => {
    const sku = await skuOf(context, was, edited.id)
    if (!sku) throw stale()
    return sku
  }
  const first = await read()
  if (first.version !== edited.version)
    throw await staleRow(context.tx, 'product', { id: was.id, version: was.version })
  if (edited.stock_left !== undefined) {
    await needShipped(context, 'editStock', was)
    was = await setStock(goods, context, was, { sku: first, left: edited.stock_left })
  }
  if (edited.price_cents === undefined) return ['已保存', 'Saved']
  await needShipped(context, 'editPrice', was)
  const prices = [{ sku: await read(), price_cents: edited.price_cents }]
  const { in_audit } = await setPrices(goods, context, was, { prices, reason })
  return in_audit
    ? ['已保存，价格待另一人审核', 'Saved, another person decides the price']
    : ['已保存，新价格已生效', 'Saved, the new price holds']
}
/** A refusal as a grid shows it: at its cells, where it says at which. */
const refused = (error: Refusal, context: WriteContext) => {
  const { lang } = context.staff
  const { fields, by } = error.dataIn(lang) as { fields?: Record<string, string>; by?: ChangedBy }
  return {
    result: error.status === 409 ? ('conflict' as const) : ('error' as const),
    text: error.in(lang),
    fields: fields ?? {},
    ...(by && { by }),
  }
}
/** The handler of a grid that is saved: each line by itself, a line that is refused stays as it is. */
export const saveGrid: Handler<typeof contract.saveGrid> = async ({ rows, reason }, context) => {
  const once = [...new Map(rows.map(row => [row.id, row])).values()]
  const told = new Map<number, Text>()
  // Two grids hold the same products in one order, whatever the order of their variants.
  await context.tx
    .select({ id: product.id })
    .from(product)
    .where(
      and(
        oneOf(
          product.id,
          once.map(row => row.product_id),
        ),
        goods.seen(context.staff),
      ),
    )
    .orderBy(product.id)
    .for('update')
  const tried = await tryRows(context, once, async (inside, edited) => {
    told.set(edited.id, await saveLine(inside, edited, reason))
  })
  return {
    results: tried.map(({ one, error }) => ({
      id: one.id,
      ...(error
        ? refused(error, context)
        : {
            result: 'saved' as const,
            text: say(told.get(one.id)!, context.staff.lang),
            fields: {},
          }),
    })),
  }
}

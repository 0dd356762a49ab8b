import { to, type Page } from '#commands/command.ts'
import { productDetail } from '#commands/pages/audit.ts'
import { eRefundDetail } from '#commands/pages/order.ts'
import { cityConfig } from '#commands/pages/system.ts'
import { statusWords } from '#src/areas/order/order.ts'
import type { Text } from '#src/domain/text.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { useSay } from '#src/kit/text.ts'
import { queues } from '#src/modules/audit/contract.ts'
import { eRefund } from '#src/modules/order/contract/eRefund.ts'
import { finding } from '#src/modules/order/contract/find.ts'
import { settings as citySettings } from '#src/modules/system/contract/citySettings.ts'
import { opensAlone } from '../registry.ts'

/** A record that a page may be opened with. */
export type Choice = { id: string; title: string; more: string; address: string }
const MOST = 8

/** Where a page of one record shows this one; undefined where it shows nothing of its kind. */
const placeOf = (page: Page, type: string, row: { id: number }): string | undefined => {
  const query = page.follows?.({ type, id: row.id, row })
  return query && to(page, query)
}
/** Whether a page shows one record, and opens when that is named. */
export const asksRecord = (page: Page): boolean =>
  !opensAlone(page) && !page.path.includes(':') && page.follows !== undefined
/** What names the record of a page. */
export const recordHint = (page: Page): Text => {
  if (page === cityConfig) return ['城市名称或拼音', 'Name of the city']
  if (page === productDetail) return ['商品或商户名称，或编号', 'Product, merchant or number']
  if (page === eRefundDetail)
    return ['退款单号、订单号或快递单号', 'Number of the case, its order or parcel']
  return [
    '订单号、券码、手机号、快递单号或支付单号',
    'Number of the order, a code, phone, parcel or payment',
  ]
}
/** The id itself, where nothing but digits was typed: `1234` opens record 1234. */
const byId = (page: Page, words: string, type: string): Choice[] => {
  const digits = /^#?(\d{1,9})$/.exec(words.normalize('NFKC').trim())?.[1]
  const address = digits && placeOf(page, type, { id: Number(digits) })
  return digits && address ? [{ id: `id ${digits}`, title: `#${digits}`, more: '', address }] : []
}

/** The records that what is typed names, of those the page shows and the person may see. */
export const useRecordsOf = (page: Page, words: string): Choice[] => {
  const say = useSay()
  const asked = words.trim().slice(0, 200)
  const keyword = { keyword: asked.slice(0, 32), page: 1, pageSize: MOST }
  const orders = useRead(
    finding.find,
    page.object === 'order' && asked.length >= 2 ? { q: asked } : skipToken,
  )
  const cases = useRead(
    eRefund.lst,
    page === eRefundDetail ? { ...keyword, sort: 'newest' } : skipToken,
  )
  const audits = useRead(queues.product.lst, page === productDetail ? keyword : skipToken)
  const cities = useRead(citySettings.lst, page === cityConfig ? keyword : skipToken)
  const place = (type: string, row: { id: number }, title: string, more: string): Choice[] => {
    const address = placeOf(page, type, row)
    return address === undefined ? [] : [{ id: `${type} ${row.id}`, title, more, address }]
  }
  const found = [
    ...(orders.currentData?.list ?? []).flatMap(row =>
      place(
        'order',
        row,
        row.order_no,
        `${row.title} · ${row.store_name} · ${say(statusWords(row))}`,
      ),
    ),
    ...(cases.currentData?.list ?? []).flatMap(row =>
      place('refund', row, row.refund_no, row.order_no),
    ),
    ...(audits.currentData?.list ?? []).flatMap(row =>
      place('audit_task', row, row.title, `${row.merchant_name} · ${row.store_name}`),
    ),
    ...(cities.currentData?.list ?? []).flatMap(row =>
      place('city', { id: row.city_id }, row.city_name, ''),
    ),
  ]
  const type = page === cityConfig ? 'city' : page.object
  return typeof type === 'string' && page.object !== 'order'
    ? [
        ...found,
        ...byId(page, words, type).filter(
          one => !found.some(({ address }) => address === one.address),
        ),
      ]
    : found
}

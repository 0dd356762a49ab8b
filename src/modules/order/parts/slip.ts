import { colon, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Slip } from '../contract/goods.ts'

const style =
  'body{font:14px/1.6 system-ui,sans-serif;color:#000;margin:8mm}h1{font-size:18px;margin:0 0 4px}table{width:100%;border-collapse:collapse;margin:8px 0}td,th{border:1px solid #000;padding:4px 6px;text-align:left}td:last-child,th:last-child{text-align:right;width:3em}p{margin:2px 0}@page{size:80mm auto;margin:4mm}'
/**
 * Prints what a store packs by, from a page of its own that is gone afterwards. Texts are set as
 * texts: nothing in them is read as markup.
 */
export const printSlip = (
  slip: Slip,
  say: (text: Text, values?: Record<string, string | number>) => string,
): void => {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0;visibility:hidden'
  frame.setAttribute('aria-hidden', 'true')
  document.body.append(frame)
  const page = frame.contentDocument!
  const add = (into: HTMLElement, tag: string, text = '') => {
    const made = page.createElement(tag)
    made.textContent = text
    into.append(made)
    return made
  }
  page.title = slip.order_no
  add(page.head, 'style', style)
  add(page.body, 'h1', say(['备货单', 'Packing slip']))
  add(
    page.body,
    'p',
    `${slip.store_name} · ${say(slip.way === 'pickup' ? ['到店自提', 'Pick-up'] : ['门店配送', 'Store delivery'])}`,
  )
  add(
    page.body,
    'p',
    `${slip.order_no}${slip.promise_at ? ` · ${timeFull(slip.promise_at).slice(0, 16)}` : ''}`,
  )
  const table = add(page.body, 'table')
  const head = add(table, 'tr')
  for (const title of [
    ['商品', 'Item'],
    ['规格', 'Variant'],
    ['件', 'Qty'],
  ] as const)
    add(head, 'th', say(title))
  for (const item of slip.items) {
    const row = add(table, 'tr')
    add(row, 'td', item.title)
    add(row, 'td', item.sku ?? '')
    add(row, 'td', String(item.qty))
  }
  if (slip.receiver)
    add(
      page.body,
      'p',
      `${slip.receiver.name ?? ''} ${slip.receiver.phone ?? ''} ${slip.receiver.area}${slip.receiver.address ?? ''}`,
    )
  else add(page.body, 'p', `${slip.member_name} ${slip.phone ?? ''}`)
  if (slip.remark)
    add(page.body, 'p', `${say(['买家留言', 'Buyer’s note'])}${say(colon)}${slip.remark}`)
  add(page.body, 'p', say(['第 {n} 次打印', 'Print {n}'], { n: slip.printed }))
  frame.contentWindow!.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow!.print()
}

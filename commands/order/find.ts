import { statusWords } from '#src/areas/order/order.ts'
import { finding } from '#src/modules/order/contract/find.ts'
import { recordFinder } from '../command.ts'
import { ecardOrderDetail } from '../pages/ecard.ts'
import { orderDetails } from '../pages/order.ts'

export const orders = recordFinder({
  pages: [...Object.values(orderDetails), ecardOrderDetail],
  hint: [
    '订单号、券码、手机号、快递单号或支付单号',
    'Number of the order, a code, phone, parcel or payment',
  ],
  find: finding.find,
  asked: words => (words.length >= 2 ? { q: words } : undefined),
  given: row => ({ type: 'order', id: row.id, row }),
  title: row => row.order_no,
  more: row => {
    const [zh, en] = statusWords(row)
    return [`${row.title} · ${row.store_name} · ${zh}`, `${row.title} · ${row.store_name} · ${en}`]
  },
})

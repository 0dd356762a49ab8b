import { eq } from 'drizzle-orm'
import { dist_commission as t } from '#src/areas/commission/commission.table.ts'
import { commissionRoles, commissionStates } from '#src/areas/commission/commission.ts'
import { say, type Text } from '#src/domain/text.ts'
import { exporting, listing, record } from '#src/server/call/record.ts'

/** What one seller earned, line by line. */
const earned = listing(
  record(t, {
    object: 'dist_commission',
    label: row => row.commission_no,
    keys: [],
    places: { city: t.city_id, mall: t.mall_id },
  }),
  {
    by: t.id,
    where: ({ id }: { id: number }) => eq(t.distributor_id, id),
    shown: async (_, rows) => rows,
  },
)
/** The handler that begins a file of what one seller earned. */
export const exportEarned = (of: { page: string; title: Text; permit: string }) =>
  exporting(earned, {
    ...of,
    columns: [
      { key: 'commission_no', title: ['佣金编号', 'Number'] },
      { key: 'order_no', title: ['订单号', 'Order'] },
      { key: 'role', title: ['角色', 'Role'] },
      { key: 'base_cents', title: ['计佣基数', 'Base'], kind: 'money', field: 'stat.gmv_cents' },
      { key: 'amount_cents', title: ['佣金', 'Commission'], kind: 'money' },
      { key: 'reversed_cents', title: ['已冲回', 'Reversed'], kind: 'money' },
      { key: 'paid_at', title: ['支付时间', 'Paid'], kind: 'time' },
      { key: 'settled_at', title: ['结算时间', 'Settled'], kind: 'time' },
      { key: 'status', title: ['状态', 'State'] },
    ],
    words: ({ id }) => [`#${id}`],
    cells: (row, { lang }) => ({
      ...row,
      role: say(commissionRoles[row.role], lang),
      status: say(commissionStates[row.status], lang),
    }),
  })

import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { rollBuyVerifyActions as actions } from '#commands/order/verify.ts'
import { rollBuyVerify } from '#commands/pages/order.ts'
import { useRead } from '#src/kit/data.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ListState } from '#src/kit/uselist.ts'
import { useAction } from '#src/kit/workbench.ts'
import { rollBuyVerify as calls, type VerifyRow } from '../../contract/verify.ts'
import { verifyColumns } from '../../parts/verifyColumns.tsx'
import { VerifyList } from '../../parts/VerifyList.tsx'

const {
  verified_at,
  settle_state,
  title,
  code,
  order_no,
  store,
  by,
  way,
  pay,
  platform,
  commission,
  settle,
  distance,
  flags,
  city,
  merchant,
  group,
  role,
  single,
} = verifyColumns
const columns: readonly Column<VerifyRow>[] = [
  verified_at,
  settle_state,
  title,
  group,
  role,
  code,
  store,
  by,
  pay,
  single,
  { ...platform, optional: false },
  settle,
  flags,
  { ...way, optional: true },
  { ...commission, optional: true },
  distance,
  order_no,
  merchant,
  city,
]
/** The others of the group who were at the store, and when. */
const Mates = ({ group_id }: { group_id: number }) => {
  const say = useSay()
  const { data } = useRead(calls.lst, { group_id, pageSize: 20 })
  return (
    <Section title={say(['同团核销', 'The whole group'])}>
      <table className="o-table">
        <tbody>
          {data?.list.map(one => (
            <tr key={one.id} data-off={one.state === 'reversed' || undefined}>
              <td>
                <When at={one.verified_at} />
              </td>
              <td>{say(one.group?.role === 'leader' ? ['团长', 'Leader'] : ['团员', 'Member'])}</td>
              <td>{one.store_name}</td>
              <td className="m-num">{one.order_no}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
/** Narrows the list to one group, and back. */
const OneGroup = ({ list }: { list: ListState<VerifyRow> }) => {
  const say = useSay()
  useAction(actions.openGroup, ([row]: readonly VerifyRow[]) => {
    if (row?.group) list.filter({ group_id: row.group.id })
  })
  return list.input.group_id === undefined ? null : (
    <Button
      size="small"
      variant="minimal"
      icon={<Cross />}
      onClick={() => list.filter({ group_id: undefined })}
    >
      {say(['全部团', 'All groups'])}
    </Button>
  )
}
export default function RollBuyVerify() {
  return (
    <VerifyList
      calls={calls}
      at={rollBuyVerify}
      openOrder={actions.openOrder}
      actions={Object.values(actions)}
      columns={columns}
      flags={['together', 'far', 'wrong_store', 'abnormal']}
      inspect={row => row.group && <Mates group_id={row.group.id} />}
      also={list => <OneGroup list={list} />}
    />
  )
}

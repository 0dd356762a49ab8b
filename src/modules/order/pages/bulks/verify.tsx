import { bulksVerifyActions as actions } from '#commands/order/verify.ts'
import { bulksVerify } from '#commands/pages/order.ts'
import { dateOf } from '#src/domain/time.ts'
import { useRead } from '#src/kit/data.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { Money, Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction } from '#src/kit/workbench.ts'
import { bulksVerify as calls, type VerifyRow } from '../../contract/verify.ts'
import { DayHours } from '../../parts/DayHours.tsx'
import { verifyColumns } from '../../parts/verifyColumns.tsx'
import { Sums, VerifyList } from '../../parts/VerifyList.tsx'

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
} = verifyColumns
const columns = [
  verified_at,
  settle_state,
  title,
  code,
  store,
  by,
  way,
  pay,
  commission,
  settle,
  distance,
  flags,
  platform,
  order_no,
  merchant,
  city,
]
type Day = { store_id: number; date: string }
/** The day of a store, as its settlement has it. */
const Report = ({ of }: { of: Day }) => {
  const say = useSay()
  const read = useRead(calls.dayReport, of)
  return (
    <Section
      title={say(['门店日汇总', 'Store’s daily total'])}
      aside={<span className="m-num">{of.date}</span>}
    >
      <Answer of={{ ...read, data: read.currentData }} lines={4}>
        {report => (
          <>
            <p>{report.store_name}</p>
            <Sums of={report} />
            <DayHours hours={report.hours} />
            <table className="o-table">
              <tbody>
                {report.clerks.map(one => (
                  <tr key={one.by}>
                    <td>{one.by || say(['自动或接口', 'By itself or API'])}</td>
                    <td className="o-right m-num">{one.rows}</td>
                    <td className="o-right">
                      <Money cents={one.settle_cents} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </Answer>
    </Section>
  )
}
export default function BulksVerify() {
  const [day, setDay] = usePaneState<Day | undefined>('day', undefined)
  useAction(actions.dayReport, ([row]: readonly VerifyRow[]) => {
    if (row) setDay({ store_id: row.store_id, date: dateOf(row.verified_at) })
  })
  return (
    <VerifyList
      calls={calls}
      at={bulksVerify}
      openOrder={actions.openOrder}
      actions={Object.values(actions)}
      columns={columns}
      flags={['far', 'wrong_store', 'abnormal']}
      inspect={row => day && day.store_id === row.store_id && <Report of={day} />}
    />
  )
}

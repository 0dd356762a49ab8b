import { ProgressBar } from '@blueprintjs/core'
import type { Result } from '#src/contract/call.ts'
import type { Text } from '#src/domain/text.ts'
import { Badge, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { SheetLine, ShipCalls } from '../contract/ship.ts'
import { LinesCounted } from './sheetAnswer.tsx'

/** Lines that are drawn of each kind; the rest is in the list that can be copied. */
const SHOWN = 200
type State = SheetLine['state'] | 'shipped' | 'failed'
export type Line = Omit<SheetLine, 'state'> & { state: State }
const looks: Record<State, readonly [ToneName, Text]> = {
  bad: ['bad', ['有问题', 'Wrong']],
  failed: ['bad', ['未发货', 'Not shipped']],
  ready: ['info', ['待发货', 'To ship']],
  already: ['plain', ['已发过', 'Shipped before']],
  shipped: ['good', ['已发货', 'Shipped']],
  skipped: ['plain', ['不是包裹', 'No parcel']],
}
const inOrder: readonly State[] = ['bad', 'failed', 'ready', 'shipped', 'already', 'skipped']

/** What to mend, as cells that a spreadsheet takes. */
export const asCells = (lines: readonly Line[]) =>
  lines
    .map(line =>
      [line.row, line.order_no, line.tracking_no, line.text.replace(/\s/g, ' ')].join('\t'),
    )
    .join('\n')

const LinesTable = ({ of }: { of: readonly Line[] }) => {
  const say = useSay()
  const sorted = of.toSorted(
    (a, b) =>
      inOrder.indexOf(a.state) - inOrder.indexOf(b.state) ||
      Number(b.text !== '') - Number(a.text !== '') ||
      a.row - b.row,
  )
  return (
    <div
      className="o-sheet-lines"
      tabIndex={0}
      role="region"
      aria-label={say(['逐行结果', 'Line by line'])}
    >
      <table className="o-table">
        <thead>
          <tr>
            <th className="o-right">{say(['行', 'Line'])}</th>
            <th>{say(['结果', 'Result'])}</th>
            <th>{say(['订单号', 'Order no.'])}</th>
            <th>{say(['快递', 'Parcel'])}</th>
            <th>{say(['说明', 'What to do'])}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, SHOWN).map(line => (
            <tr key={line.row}>
              <td className="o-right m-num">{line.row}</td>
              <td>
                <Badge tone={looks[line.state][0]}>{say(looks[line.state][1])}</Badge>
              </td>
              <td className="m-num">{line.order_no || '—'}</td>
              <td className="m-num">
                {line.courier_name} {line.tracking_no}
              </td>
              <td className={line.state === 'bad' || line.state === 'failed' ? 'm-bad' : undefined}>
                {line.text || (
                  <span className="m-muted">
                    {line.title}
                    {line.qty > 1 && ` × ${line.qty}`}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > SHOWN && (
        <p className="m-hint">
          {say(['另有 {n} 行未列出', '{n} more lines'], { n: sorted.length - SHOWN })}
        </p>
      )}
    </div>
  )
}

const Counts = ({ of }: { of: readonly Line[] }) => {
  const say = useSay()
  const count = (state: State) => of.filter(line => line.state === state).length
  return (
    <>
      {inOrder
        .filter(state => count(state) > 0)
        .map(state => (
          <span key={state}>
            {' '}
            ·{' '}
            <Badge tone={looks[state][0]}>
              {say(looks[state][1])} {count(state)}
            </Badge>
          </span>
        ))}
    </>
  )
}
/** What was read of a sheet line by line, and how far its parcels have gone. */
export const SheetLines = ({
  of,
  name,
  answer,
  progress,
}: {
  of: readonly Line[]
  name: string
  answer: Result<ShipCalls['readSheet']> | undefined
  /** From 0 to 1, while parcels go. */ progress: number | undefined
}) => (
  <>
    <p role="status">
      <b>{name}</b> <LinesCounted of={answer?.counted} />
      <Counts of={of} />
    </p>
    {answer?.notes.map(note => (
      <p key={note} className="m-hint">
        {note}
      </p>
    ))}
    {progress !== undefined && <ProgressBar intent="primary" value={progress} />}
    <LinesTable of={of} />
  </>
)

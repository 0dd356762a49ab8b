import { Button } from '@blueprintjs/core'
import { useRead } from '#src/kit/data.ts'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { deduplication as calls, type DupFigures as Told } from '../contract/deduplication.ts'

/** A share as a percentage with one decimal; 0 of nothing. */
const percent = (part: number, whole: number): string =>
  `${(whole === 0 ? 0 : (100 * part) / whole).toFixed(1)}%`
type Choose = (by: { mid?: number; staff_id?: number }) => void

const Ranked = ({
  label,
  rows,
}: {
  label: string
  rows: readonly { id: number; name: string; value: string; choose: () => void }[]
}) => (
  <div className="cu-ranked">
    <span className="m-muted">{label}</span>
    <ul aria-label={label}>
      {rows.map(row => (
        <li key={row.id}>
          <Button size="small" variant="minimal" onClick={row.choose}>
            {row.name} <b className="m-num">{row.value}</b>
          </Button>
        </li>
      ))}
    </ul>
  </div>
)
const Shown = ({ of, choose }: { of: Told; choose: Choose }) => {
  const say = useSay()
  const sums: readonly (readonly [string, string])[] = [
    [say(['添加次数', 'Adds']), of.adds.toLocaleString('en-US')],
    [say(['去重后人数', 'Distinct people']), of.people.toLocaleString('en-US')],
    [say(['重复率', 'Repeated']), percent(of.adds - of.people, of.adds)],
  ]
  return (
    <>
      <dl className="cu-sums">
        {sums.map(([word, value]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd className="m-num">{value}</dd>
          </div>
        ))}
      </dl>
      {of.malls.length > 0 && (
        <Ranked
          label={say(['各商场重复率', 'Repeated, by mall'])}
          rows={of.malls.map(row => ({
            ...row,
            value: percent(row.again, row.adds),
            choose: () => choose({ mid: row.id }),
          }))}
        />
      )}
      {of.advisers.length > 0 && (
        <Ranked
          label={say([
            '后于同事添加最多（重复/全部）',
            'Most adds after a colleague (repeats / all)',
          ])}
          rows={of.advisers.map(row => ({
            ...row,
            value: `${row.again}/${row.adds}`,
            choose: () => choose({ staff_id: row.id }),
          }))}
        />
      )}
    </>
  )
}
/** How many adds are the same people again; a mall or an adviser filters the list. */
export const DupFigures = ({ choose }: { choose: Choose }) => {
  const say = useSay()
  const read = useRead(calls.figures, {})
  return (
    <section className="cu-figures" aria-label={say(['重复添加统计', 'Repeated adds'])}>
      <Answer of={read}>{of => <Shown of={of} choose={choose} />}</Answer>
    </section>
  )
}

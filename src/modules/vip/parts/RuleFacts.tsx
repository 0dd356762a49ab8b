import { comma } from '#src/domain/text.ts'
import { Fact, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'

/** The malls that a rule is for. */
export const Malls = ({ of }: { of: readonly { name: string }[] }) => {
  const say = useSay()
  return <>{of.length === 0 ? say(['全部', 'All']) : of.map(one => one.name).join(say(comma))}</>
}
type Spanned = {
  daily_cap: number | null
  total_cap: number | null
  start_at: number | null
  end_at: number | null
  off_reason: string
  issued: number
}
/** What every rule of earning says: its caps, its time, why it is off. */
export const RuleSpan = ({ of }: { of: Spanned }) => {
  const say = useSay()
  const most = (n: number | null) => n?.toLocaleString('en-US') ?? say(['不限', 'No limit'])
  return (
    <>
      <Fact label={say(['每人每日上限', 'Per member per day'])}>{most(of.daily_cap)}</Fact>
      <Fact label={say(['每人累计上限', 'Per member in total'])}>{most(of.total_cap)}</Fact>
      <Fact label={say(['开始', 'From'])}>
        <When at={of.start_at} />
      </Fact>
      <Fact label={say(['结束', 'Until'])}>
        {of.end_at === null ? say(['长期', 'No end date']) : <When at={of.end_at} />}
      </Fact>
      <Fact label={say(['近 30 天发放', 'Issued, 30 days'])}>{of.issued}</Fact>
      {of.off_reason && (
        <Fact wide label={say(['停用原因', 'Reason disabled'])}>
          {of.off_reason}
        </Fact>
      )}
    </>
  )
}

import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { teamActions as actions } from '#commands/distribution/teams.ts'
import { expertDetail, groupMembersPage, sellersPage } from '#commands/pages/distribution.ts'
import type { Result } from '#src/contract/call.ts'
import { percent } from '#src/domain/money.ts'
import { SmallTable, State } from '#src/kit/cells.tsx'
import { DetailFrame, OfAddress } from '#src/kit/detailframe.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { teamDetail as calls } from '../../../contract/teamDetail.ts'
import { groupLooks, Reached } from '../../../parts/sellerLooks.tsx'
import { Trend } from '../../../parts/Trend.tsx'

type Detail = Result<(typeof calls)['detail']>
type Props = { of: Detail }
const Head = ({ of }: Props) => {
  const say = useSay()
  const { row } = of
  return (
    <Section title={say(['本月', 'This month'])}>
      <Facts>
        <Fact label={say(['成交额', 'GMV'])}>
          <Money cents={row.gmv_cents} sign />
        </Fact>
        <Fact label={say(['目标', 'Target'])}>
          {row.target_cents == null ? (
            say(['未设置', 'None'])
          ) : (
            <Money cents={row.target_cents} sign />
          )}
        </Fact>
        <Fact label={say(['达成率', 'Achieved'])}>
          <Reached row={row} />
        </Fact>
        <Fact label={say(['已结团长奖励', 'Bonus paid'])}>
          <Money cents={of.bonus_paid_cents} sign />
        </Fact>
        <Fact label={say(['累计团长奖励', 'Total bonus'])}>
          <Money cents={of.bonus_cents} sign />
        </Fact>
        <Fact label={say(['累计成交额', 'Total GMV'])}>
          <Money cents={of.all_gmv_cents} sign />
        </Fact>
      </Facts>
      <p className="m-muted">
        {say([
          '成交额按支付时成员所在团队计算，调队与合并不改变历史。',
          'Counted for the member’s team at payment; later moves and merges don’t change it.',
        ])}
      </p>
    </Section>
  )
}
const Team = ({ of: { row, merged } }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['团队', 'Team'])}>
      <Facts>
        <Fact label={say(['团长', 'Leader'])}>
          {row.leader_id === null ? (
            '—'
          ) : (
            <Link href={to(expertDetail, { id: row.leader_id })}>{row.leader_name}</Link>
          )}
        </Fact>
        <Fact label={say(['城市', 'City'])}>{row.city_name}</Fact>
        <Fact label={say(['成员', 'Members'])}>
          <Link href={to(groupMembersPage, { group_id: row.id })}>
            {say(['{n} / {most} 人', '{n} of {most}'], {
              n: row.member_count,
              most: row.member_limit,
            })}
          </Link>
        </Fact>
        <Fact label={say(['团长奖励', 'Bonus'])}>
          {row.leader_bp === undefined ? '—' : percent(row.leader_bp)}
        </Fact>
        {row.merged_into_name && (
          <Fact label={say(['并入', 'Merged into'])}>{row.merged_into_name}</Fact>
        )}
        {row.reason && (
          <Fact wide label={say(['原因', 'Why'])}>
            {row.reason}
          </Fact>
        )}
      </Facts>
      {merged.length > 0 && (
        <SmallTable
          head={[
            ['并入的团队', 'Merged into it'],
            ['并入前成交额', 'GMV before'],
          ]}
          rows={merged}
          keyOf={one => one.id}
          cells={one => [one.name, <Money key="gmv" cents={one.gmv_cents} />]}
        />
      )}
    </Section>
  )
}
type Person = Detail['top'][number]
const People = ({
  title,
  rows,
  none,
}: {
  title: string
  rows: readonly Person[]
  none: string
}) => (
  <Section title={title}>
    {rows.length === 0 ? (
      <p className="m-muted">{none}</p>
    ) : (
      <SmallTable
        head={[
          ['成员', 'Member'],
          ['本月成交额', 'GMV this month'],
        ]}
        rows={rows}
        keyOf={one => one.id}
        cells={one => [
          <Link key="name" href={to(expertDetail, { id: one.id })}>
            {one.name}
          </Link>,
          <Money key="gmv" cents={one.gmv_cents} />,
        ]}
      />
    )}
  </Section>
)
const Targets = ({ of: { targets } }: Props) => {
  const say = useSay()
  if (targets.length === 0) return null
  return (
    <Section title={say(['月度目标', 'Targets'])}>
      <SmallTable
        head={[
          ['月份', 'Month'],
          ['目标', 'Target'],
          ['成交额', 'GMV'],
          ['达成率', 'Achieved'],
        ]}
        rows={targets}
        keyOf={one => one.month}
        cells={one => [
          one.month,
          <Money key="target" cents={one.target_cents} />,
          <Money key="gmv" cents={one.gmv_cents} />,
          <Reached key="reached" row={one} />,
        ]}
      />
    </Section>
  )
}
const Comings = ({ of: { comings } }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['成员进出', 'Membership changes'])}>
      {comings.length === 0 ? (
        <p className="m-muted">{say(['还没有记录', 'No records yet'])}</p>
      ) : (
        <SmallTable
          head={[
            ['时间', 'When'],
            ['成员', 'Member'],
            ['变动', 'Change'],
            ['原因', 'Why'],
          ]}
          rows={comings}
          keyOf={one => one.key}
          cells={one => [
            <When key="at" at={one.at} />,
            one.name,
            <span key="what">
              {one.joins ? say(['加入', 'joined']) : say(['离开', 'left'])}{' '}
              {one.is_leader && <Badge tone="info">{say(['团长', 'Leader'])}</Badge>}
              {one.ordered && <Badge tone="warn">{say(['待生效', 'To come'])}</Badge>}
            </span>,
            one.reason || '—',
          ]}
        />
      )}
    </Section>
  )
}
const Whole = ({ of }: Props) => {
  const say = useSay()
  const { row } = of
  useExport(actions.export, calls.export, { filters: () => ({ id: row.id }) })
  return (
    <DetailFrame
      row={row}
      actions={Object.values(actions)}
      aside={<State of={row.status} in={groupLooks} />}
    >
      <>
        <Head of={of} />
        <Trend id={row.id} of={calls.trend} />
        <Comings of={of} />
      </>
      <>
        <Team of={of} />
        <Targets of={of} />
        <People
          title={say(['本月业绩前五', 'Top five this month'])}
          rows={of.top}
          none={say(['本月还没有成交', 'No sales this month'])}
        />
        <People
          title={say(['30 天无成交（{n} 人）', 'No sales in 30 days ({n})'], { n: of.idle_count })}
          rows={of.idle}
          none={say(['全员都有成交', 'Everyone made a sale'])}
        />
      </>
    </DetailFrame>
  )
}
/** The team of `?id=`. */
export default function TeamPage() {
  return (
    <OfAddress
      call={calls.detail}
      none={['没有指定团队', 'No team named']}
      back={{ to: to(sellersPage, { view: 'teams' }), text: ['回到团队列表', 'Back to the teams'] }}
    >
      {of => <Whole of={of} />}
    </OfAddress>
  )
}

import { adjustKinds, genders, registerSources } from '#src/areas/member/member.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { Badge, Delta, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { MemberRow } from '../contract/index.ts'
import { PointsOf, RiskOf, StateOf } from './memberLooks.tsx'
import { MemberSide } from './MemberSide.tsx'

type Props = { row: MemberRow }
/** What waits for a second person: who asked for it, and why. */
const Waiting = ({ row }: Props) => {
  const say = useSay()
  const { adjust } = row
  if (!adjust) return null
  return (
    <Section title={say(['待复核的调整', 'Adjustment pending review'])}>
      <Facts>
        <Fact label={say(adjustKinds[adjust.kind])}>
          <Delta of={adjust.delta} />
        </Fact>
        <Fact label={say(['申请人', 'Requested by'])}>{adjust.maker}</Fact>
        <Fact label={say(['申请时间', 'Requested'])}>
          <When at={adjust.created_at} />
        </Fact>
        <Fact wide label={say(['原因', 'Reason'])}>
          {adjust.reason}
        </Fact>
      </Facts>
    </Section>
  )
}
const Person = ({ row }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['会员', 'Member'])}>
      <Facts>
        <Fact label={say(['会员号', 'Number'])}>{row.uid}</Fact>
        <Fact label={say(['手机号', 'Phone'])}>
          <span className="m-num">{row.phone ?? '—'}</span>
        </Fact>
        <Fact label={say(['城市', 'City'])}>{row.city_name}</Fact>
        <Fact label={say(['性别', 'Gender'])}>{say(genders[row.gender])}</Fact>
        <Fact label={say(['注册', 'Joined'])}>
          <When at={row.register_at} />
        </Fact>
        <Fact label={say(['来源', 'Source'])}>{say(registerSources[row.register_source])}</Fact>
        <Fact label={say(['风险', 'Risk'])}>
          <RiskOf risk={row.risk} />
        </Fact>
        <Fact label={say(['最近访问', 'Last visit'])}>
          <When at={row.last_visit_at} />
        </Fact>
        {row.inviter_name && (
          <Fact wide label={say(['邀请人', 'Invited by'])}>
            {row.inviter_name}
          </Fact>
        )}
        {row.merged_name && (
          <Fact wide label={say(['并入', 'Merged into'])}>
            {row.merged_name}
          </Fact>
        )}
        {row.benefits_frozen && (
          <Fact wide label={say(['权益冻结', 'Benefits frozen'])}>
            {row.benefits_reason}
          </Fact>
        )}
        <Fact wide label={say(['标签', 'Tags'])}>
          {row.tags.length === 0
            ? '—'
            : row.tags.map(tag => (
                <span key={tag.id}>
                  <Badge>{tag.name}</Badge>{' '}
                </span>
              ))}
        </Fact>
      </Facts>
    </Section>
  )
}
const Standing = ({ row }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['权益与消费', 'Benefits and spending'])}>
      <Facts>
        <Fact label={say(['等级', 'Level'])}>{`V${row.level}`}</Fact>
        <Fact label={say(['保留至', 'Kept until'])}>
          <When at={row.level_keep_until} />
        </Fact>
        <Fact label={say(['成长值', 'Growth'])}>{row.growth}</Fact>
        <Fact label={say(['积分', 'Points'])}>
          <PointsOf row={row} />
        </Fact>
        <Fact label={say(['冻结积分', 'Frozen points'])}>{row.points_frozen}</Fact>
        <Fact label={say(['付费会员至', 'VIP until'])}>
          <When at={row.vip_end_at} />
        </Fact>
        <Fact label={say(['累计实付', 'Total paid'])}>
          <Money cents={row.total_paid_cents} sign />
        </Fact>
        <Fact label={say(['订单', 'Orders'])}>{row.order_count}</Fact>
        <Fact label={say(['最近下单', 'Last order'])}>
          <When at={row.last_order_at} />
        </Fact>
      </Facts>
    </Section>
  )
}
/** A member beside the list: who it is, what waits, how it stands, and all that hangs on it. */
export const MemberDetail = ({ row }: Props) => (
  <Inspector title={row.nickname} aside={<StateOf row={row} />}>
    <Waiting row={row} />
    <Person row={row} />
    <Standing row={row} />
    <MemberSide id={row.id} />
  </Inspector>
)

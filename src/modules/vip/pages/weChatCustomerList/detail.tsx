import { customersPage } from '#commands/pages/vip.ts'
import { customerDetailActions as actions } from '#commands/vip/weChatCustomerDetail.ts'
import { customerStates, customerTypes, wecomGenders } from '#src/areas/wecom/wecom.ts'
import type { Result } from '#src/contract/call.ts'
import { Words } from '#src/kit/cells.tsx'
import { DetailFrame, OfAddress } from '#src/kit/detailframe.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useSubmitted } from '#src/kit/submitted.ts'
import { useSay, wecomSaid } from '#src/kit/text.ts'
import { Relations, Timeline } from '#src/kit/wecom.tsx'
import { customerDetail as calls } from '../../contract/weChatCustomerDetail.ts'
import { BoughtAndCoupons, Chats, MemberStanding } from '../../parts/customerLooks.tsx'
import { Transfers } from '../../parts/wecomLooks.tsx'
import '../../parts/vip.css'

type Detail = Result<(typeof calls)['facts']>
type Props = { of: Detail }
const Contact = ({ of: { row } }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['企业微信', 'WeCom'])}>
      <Facts>
        <Fact label={say(['类型', 'Kind'])}>
          <Words of={customerTypes[row.type]} />
          {row.corp_name && ` · ${row.corp_name}`}
        </Fact>
        <Fact label={say(['性别', 'Gender'])}>
          <Words of={wecomGenders[row.gender]} />
        </Fact>
        <Fact label={say(['首次添加', 'First added'])}>
          <When at={row.first_add_at} />
        </Fact>
        <Fact label={say(['最近沟通', 'Last chat'])}>
          <When at={row.last_active_at} />
        </Fact>
        {row.lost_at !== null && (
          <Fact label={say(['流失时间', 'Lost'])}>
            <When at={row.lost_at} />
          </Fact>
        )}
        <Fact label={say(['外部编号', 'WeCom ID'])}>{row.external_short}</Fact>
        <Fact label={say(['同步于', 'Synced'])}>
          <When at={row.synced_at} />
        </Fact>
      </Facts>
    </Section>
  )
}
const Next = ({ of: { next } }: Props) => {
  const say = useSay()
  if (next === null) return null
  return (
    <Section title={say(['下次跟进', 'Next follow-up'])} aside={<When at={next.at} />}>
      <p className="vp-lines">
        {next.content} <span className="m-muted">{next.by}</span>
      </p>
    </Section>
  )
}
/** What stands beside the name: the state, what is on its way, and whether the facts are old. */
const Marks = ({ of: { row } }: Props) => {
  const say = useSay()
  return (
    <>
      <Badge tone={row.state === 'following' ? 'good' : 'warn'}>
        {say(customerStates[row.state])}
      </Badge>
      {row.others && (
        <Badge tone="warn">
          {say(['由其他商场跟进，资料已隐藏', 'Followed by another mall; details hidden'])}
        </Badge>
      )}
      {row.is_stale && (
        <Badge tone="warn">{say(['资料超过 24 小时未刷新', 'Not synced for over 24 hours'])}</Badge>
      )}
      {row.waiting_count > 0 && (
        <Badge tone="info">{say(['写入中 {n}', '{n} pending'], { n: row.waiting_count })}</Badge>
      )}
      {row.refused && (
        <Badge tone="bad" title={wecomSaid(say, row.refused)}>
          {say(['写入失败', 'Failed'])}
        </Badge>
      )}
    </>
  )
}
const Whole = ({ of }: Props) => {
  const say = useSay()
  const { row } = of
  useSubmitted(actions.transfer)
  useSubmitted(actions.tag)
  useSubmitted(actions.remark)
  useSubmitted(actions.syncOne)
  return (
    <DetailFrame row={row} actions={Object.values(actions)} aside={<Marks of={of} />}>
      <>
        <Next of={of} />
        <Relations rows={of.relations} />
        <Timeline id={row.id} call={calls.timeline} />
      </>
      <>
        {!row.others && <MemberStanding row={row} standing={of.standing} />}
        {of.standing && <BoughtAndCoupons standing={of.standing} />}
        {!row.others && <Chats rows={of.chats} />}
        <Contact of={of} />
        {of.transfers.length > 0 && (
          <Section title={say(['转接记录', 'Hand-overs'])}>
            <Transfers rows={of.transfers} />
          </Section>
        )}
      </>
    </DetailFrame>
  )
}

/** The customer of `?id=`: who follows them, what they bought, and what happened when. */
export default function CustomerDetail() {
  return (
    <OfAddress
      call={calls.facts}
      none={['没有指定客户', 'No customer selected']}
      back={{
        to: customersPage.path,
        text: ['去企微会员客户选择', 'Go to WeCom member customers'],
      }}
    >
      {of => <Whole of={of} />}
    </OfAddress>
  )
}

import { saidWith } from '#src/areas/wecomMaterial/carried.ts'
import { unsendable } from '#src/areas/wecomMaterial/material.ts'
import { hoursText } from '#src/areas/welcome/hours.ts'
import { filled } from '#src/areas/welcome/saying.ts'
import {
  giftStates,
  sendOutcomes,
  trialStates,
  welcomeScopes,
  type SendOutcome,
  type TrialState,
} from '#src/areas/welcome/welcome.ts'
import type { Read } from '#src/contract/call.ts'
import type { WelcomeRow, WelcomeSend, WelcomeTrials } from '#src/contract/welcome.ts'
import type { WelcomeTried } from '#src/contract/welcomeTried.ts'
import { comma, semicolon } from '#src/domain/text.ts'
import { SmallTable, State, Words, type States } from './cells.tsx'
import { Chat } from './chat.tsx'
import { useRead } from './data.ts'
import { Inspector } from './inspector.tsx'
import { Badge, Fact, Facts, Section, When } from './show.tsx'
import { Answer } from './states.tsx'
import { useSay, wecomSaid } from './text.ts'
import { Hindered, rateOf, welcomeLooks, Whom } from './welcome-columns.tsx'
import { WelcomeTrial } from './welcome-trial.tsx'

const outcomeLooks: States<SendOutcome> = {
  sending: { text: sendOutcomes.sending, tone: 'info' },
  sent: { text: sendOutcomes.sent, tone: 'good' },
  missed: { text: sendOutcomes.missed, tone: 'bad' },
  taken: { text: sendOutcomes.taken, tone: 'warn' },
  refused: { text: sendOutcomes.refused, tone: 'bad' },
  unknown: { text: sendOutcomes.unknown, tone: 'warn' },
  none: { text: sendOutcomes.none, tone: 'warn' },
}
const sample = (row: WelcomeRow, say: ReturnType<typeof useSay>) => ({
  客户昵称: say(['小鹿', 'Lucy']),
  员工姓名: row.advisers[0] ?? say(['李娜', 'Li Na']),
  门店名: row.mall_name || say(['本店', 'our store']),
})
const Looks = ({ row }: { row: WelcomeRow }) => {
  const say = useSay()
  const names = sample(row, say)
  const said = saidWith(row, row.materials)
  return (
    <Section title={say(['客户看到的样子', 'As the customer sees it'])}>
      <Chat
        who={names.员工姓名}
        text={filled(said.text, names)}
        attachments={said.pieces.map(one => one.piece)}
        after={
          row.coupon && say(['随后到账：{name}', 'With it comes {name}'], { name: row.coupon.name })
        }
      />
      {said.skipped.map(({ name, why }) => (
        <p key={name} className="m-bad">
          {say(['已跳过：{name}（{why}）', 'Left out: {name} ({why})'], {
            name,
            why: say(unsendable[why]),
          })}
        </p>
      ))}
    </Section>
  )
}
const RuleFacts = ({ row }: { row: WelcomeRow }) => {
  const say = useSay()
  return (
    <Section title={say(['命中条件', 'When it wins'])}>
      <Facts>
        <Fact label={say(['适用范围', 'For'])}>
          <Words of={welcomeScopes[row.scope]} />
        </Fact>
        <Fact label={say(['优先级', 'Priority'])}>{row.priority}</Fact>
        <Fact wide label={say(['适用对象', 'Whom'])}>
          <Whom row={row} />
          {row.mall_id !== null &&
            row.departments.length > 0 &&
            say(['（{names}）', ' ({names})'], { names: row.departments.join(say(comma)) })}
        </Fact>
        <Fact wide label={say(['生效时间', 'When'])}>
          <Words of={hoursText(row.hours)} />
        </Fact>
        <Fact label={say(['覆盖员工', 'Advisers'])}>{row.covered}</Fact>
        <Fact label={say(['内容版本', 'Version'])}>{row.content_n}</Fact>
        {row.base_name && (
          <Fact wide label={say(['所属欢迎语', 'Belongs to'])}>
            {row.base_name}
          </Fact>
        )}
        {row.codes.length > 0 && (
          <Fact wide label={say(['绑定活码', 'Live codes'])}>
            {row.codes.join(say(comma))}
          </Fact>
        )}
        {row.coupon && (
          <Fact wide label={say(['礼券', 'Coupon'])}>
            {row.coupon.name}{' '}
            {!row.coupon.given && (
              <Badge tone="bad">{say(['已停发，请更换', 'Not given out any more'])}</Badge>
            )}
          </Fact>
        )}
        {row.media_fault && (
          <Fact wide label={say(['图片异常', 'Picture fault'])}>
            {row.media_fault}
          </Fact>
        )}
        {row.off_reason && (
          <Fact wide label={say(['停用原因', 'Why off'])}>
            {row.off_reason}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
/** The share of people who opened a link, among those who were sent one that is counted. */
const clicksOf = ({ clicks: { linked, clickers } }: WelcomeRow, say: ReturnType<typeof useSay>) =>
  linked === 0
    ? say(['7 日内没有可统计的链接', 'No link that is counted in 7 days'])
    : say(['{rate}%（{n} / {all} 人次）', '{rate}% ({n} of {all})'], {
        rate: ((clickers * 100) / linked).toFixed(1),
        n: clickers,
        all: linked,
      })
const weekWords = ['sent', 'missed', 'taken', 'refused', 'unknown'] as const
const Week = ({ row }: { row: WelcomeRow }) => {
  const say = useSay()
  return (
    <Section title={say(['近 7 日', 'The last 7 days'])}>
      <Facts>
        <Fact label={say(['送达率', 'Success'])}>{rateOf(row)}</Fact>
        {weekWords.map(key => (
          <Fact key={key} label={say(sendOutcomes[key])}>
            {row.week[key]}
          </Fact>
        ))}
        <Fact label={say(['最近触发', 'Last'])}>
          <When at={row.last_at} />
        </Fact>
        <Fact wide label={say(['点击率', 'Clicks'])}>
          {clicksOf(row, say)}
        </Fact>
      </Facts>
    </Section>
  )
}
const whyOf = (send: WelcomeSend, say: ReturnType<typeof useSay>): string =>
  [send.error && wecomSaid(say, send), ...send.skipped, send.gift_error]
    .filter(Boolean)
    .join(say(semicolon))
/** How long a send took, in seconds. */
const secondsOf = ({ cost_ms }: WelcomeSend): string =>
  cost_ms === null ? '—' : `${(cost_ms / 1000).toFixed(1)}s`
const Sends = ({ row, of }: { row: WelcomeRow; of: SendsOf }) => {
  const say = useSay()
  const read = useRead(of, { id: row.id })
  return (
    <Section title={say(['最近发送', 'Last sends'])}>
      <Answer of={read}>
        {({ list }) =>
          list.length === 0 ? (
            <p className="m-muted">{say(['还没有发送过', 'Never sent'])}</p>
          ) : (
            <SmallTable
              head={[
                ['时间', 'At'],
                ['员工', 'Adviser'],
                ['结果', 'Result'],
                ['用时', 'Took'],
                ['礼券', 'Coupon'],
              ]}
              rows={list}
              keyOf={one => one.id}
              cells={one => [
                <When key="at" at={one.happened_at} />,
                one.adviser,
                <State
                  key="outcome"
                  of={one.outcome}
                  in={outcomeLooks}
                  title={whyOf(one, say) || undefined}
                />,
                secondsOf(one),
                <Words key="gift" of={giftStates[one.gift]} />,
              ]}
            />
          )
        }
      </Answer>
    </Section>
  )
}
/** The messages that take over in some hours. */
const Windows = ({ row }: { row: WelcomeRow }) => {
  const say = useSay()
  return (
    <Section title={say(['分时段内容', 'Messages for some hours'])}>
      <SmallTable
        head={[
          ['名称', 'Name'],
          ['时段', 'Hours'],
          ['状态', 'State'],
        ]}
        rows={row.windows}
        keyOf={one => one.id}
        cells={one => [
          one.name,
          <Words key="hours" of={hoursText(one.hours)} />,
          <State key="state" of={one.status} in={welcomeLooks} />,
        ]}
      />
    </Section>
  )
}
const trialLooks: States<TrialState> = {
  waiting: { text: trialStates.waiting, tone: 'info' },
  sending: { text: trialStates.sending, tone: 'info' },
  sent: { text: trialStates.sent, tone: 'good' },
  failed: { text: trialStates.failed, tone: 'bad' },
  unknown: { text: trialStates.unknown, tone: 'warn' },
}
/** What people sent of it to themselves, and what came of that; nothing while nobody has. */
const Trials = ({ row, of }: { row: WelcomeRow; of: TrialsOf }) => {
  const say = useSay()
  const read = useRead(of, { id: row.id })
  if (read.data?.list.length === 0) return null
  return (
    <Section title={say(['测试发送', 'Sent to oneself'])}>
      <Answer of={read}>
        {({ list }) => (
          <SmallTable
            head={[
              ['时间', 'At'],
              ['接收人', 'To'],
              ['结果', 'Result'],
              ['说明', 'Why'],
            ]}
            rows={list}
            keyOf={one => one.id}
            cells={one => [
              <When key="at" at={one.asked_at} />,
              one.account,
              <State key="state" of={one.state} in={trialLooks} />,
              one.why || '—',
            ]}
          />
        )}
      </Answer>
    </Section>
  )
}
type TrialsOf = Read<{ id: number }, { id: number }, WelcomeTrials>
type SendsOf = Read<{ id: number }, { id: number }, { list: WelcomeSend[] }>
/** All that is known of a rule: what it says, when it wins, and what came of it. */
export const WelcomeDetail = ({
  row,
  sends,
  trials,
  tried,
}: {
  row: WelcomeRow
  sends: SendsOf
  trials?: TrialsOf
  tried: WelcomeTried | undefined
}) => (
  <Inspector
    title={row.name}
    aside={
      <>
        <State of={row.status} in={welcomeLooks} /> <Hindered row={row} />
      </>
    }
  >
    {tried && <WelcomeTrial of={tried} />}
    <Looks row={row} />
    {trials && <Trials row={row} of={trials} />}
    {row.windows.length > 0 && <Windows row={row} />}
    <RuleFacts row={row} />
    <Week row={row} />
    <Sends row={row} of={sends} />
  </Inspector>
)

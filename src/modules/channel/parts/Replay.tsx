import { HTMLSelect } from '@blueprintjs/core'
import { useState } from 'react'
import { replayAt, type Reason, type StaffNow } from '#src/areas/channelCode/allocation.ts'
import type { CodeBody } from '#src/areas/channelCode/channelCode.ts'
import { weekdays } from '#src/areas/channelCode/codeRules.ts'
import { weekMinuteOf } from '#src/areas/channelCode/duty.ts'
import { skipsVerify } from '#src/areas/channelCode/verify.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { Badge, Section, type ToneName } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { codeEdit, type CodePerson } from '../contract/code.ts'
import { Clock } from './CodeLines.tsx'

const why: Readonly<Record<Reason, { text: Text; tone: ToneName }>> = {
  main: { text: ['当班接待', 'On duty'], tone: 'good' },
  backup: { text: ['备用接待', 'Backup'], tone: 'warn' },
  last: { text: ['全部已满，兜底接待', 'All full: fallback'], tone: 'bad' },
  unable: { text: ['不可接待', 'Unavailable'], tone: 'bad' },
  off_duty: { text: ['不在班次内', 'Off duty'], tone: 'plain' },
  full: { text: ['已达每日上限', 'At the cap'], tone: 'warn' },
  not_needed: { text: ['备用，本次不需要', 'Not needed'], tone: 'plain' },
}
type Moment = { day: number; minute: number }
const momentNow = (): Moment => {
  const minute = weekMinuteOf(unixNow())
  return { day: Math.floor(minute / 1440) + 1, minute: minute % 1440 }
}
/** The next time (unix seconds) at which it is that day and minute. */
const timeOf = ({ day, minute }: Moment): number => {
  const today = dayStart(unixNow())
  const now = Math.floor(weekMinuteOf(today) / 1440) + 1
  return today + ((day - now + 7) % 7) * DAY + minute * 60
}
/** Caps are of a day: on another one nobody has received anybody yet. */
const factsOf = (people: readonly CodePerson[], at: number) => {
  const isToday = dayStart(at) === dayStart(unixNow())
  const known = new Map(people.map(one => [one.userid, one]))
  return (userid: string): StaffNow | undefined => {
    const one = known.get(userid)
    return one && (isToday ? one : { ...one, taken: 0, taken_in_all: 0 })
  }
}
type Props = {
  body: CodeBody
  people: readonly CodePerson[]
  /** Where the key of the page goes to. */
  fieldId?: string
}
const Welcome = ({ staff_id, at, body }: { staff_id: number; at: number; body: CodeBody }) => {
  const say = useSay()
  const { welcome_id } = body
  const read = useRead(
    codeEdit.welcomeAt,
    staff_id > 0 ? { staff_id, at, ...(welcome_id && { welcome_id }) } : skipToken,
  )
  if (staff_id <= 0) return null
  return (
    <Section title={say(['将收到的欢迎语', 'Welcome they will get'])}>
      <Answer of={read}>
        {({ welcome: of }) =>
          of ? (
            <>
              {of.name} <Badge>{of.scope}</Badge>
              <p className="ch-welcome">{of.text || say(['只有附件', 'Attachments only'])}</p>
            </>
          ) : (
            <p className="m-muted">{say(['没有可用的欢迎语', 'No welcome available'])}</p>
          )
        }
      </Answer>
    </Section>
  )
}
/** Replays a scan at a moment of the week: who would receive it, why the others would not. */
export const Replay = ({ body, people, fieldId }: Props) => {
  const say = useSay()
  const [moment, setMoment] = useState(momentNow)
  const at = timeOf(moment)
  const replay = replayAt(body, at, factsOf(people, at))
  const chosen = replay.filter(one => one.chance > 0)
  const likeliest = chosen.toSorted((a, b) => b.chance - a.chance)[0]
  const personOf = (userid: string) => people.find(one => one.userid === userid)
  return (
    <>
      <Section title={say(['模拟扫码', 'Simulate a scan'])}>
        <div className="ch-replay">
          <HTMLSelect
            id={fieldId}
            aria-label={say(['星期', 'Day'])}
            value={moment.day}
            onChange={event => setMoment({ ...moment, day: Number(event.target.value) })}
            options={weekdays.map((text, n) => ({ value: n + 1, label: say(text) }))}
          />
          <Clock
            label={say(['时刻', 'Time'])}
            value={moment.minute}
            change={minute => setMoment({ ...moment, minute })}
          />
          <Badge>
            {say(
              skipsVerify(body, at)
                ? ['自动通过', 'Accepted automatically']
                : ['需要验证', 'Needs approval'],
            )}
          </Badge>
        </div>
        <div role="status">
          {chosen.length === 0 && (
            <p>
              <Badge tone="bad">{say(['无人接待', 'Nobody available'])}</Badge>
            </p>
          )}
          {replay.map(one => (
            <div key={one.userid} className="ch-pick">
              <span>
                {personOf(one.userid)?.name ?? one.userid}
                {one.chance > 0 && ` ${Math.round(one.chance * 100)}%`}
              </span>
              <Badge tone={why[one.why].tone}>
                {personOf(one.userid)?.unable || say(why[one.why].text)}
              </Badge>
            </div>
          ))}
        </div>
      </Section>
      <Welcome staff_id={personOf(likeliest?.userid ?? '')?.id ?? 0} at={at} body={body} />
    </>
  )
}

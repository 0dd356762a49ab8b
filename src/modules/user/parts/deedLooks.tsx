import { ERASED, RISK_HIGH, RISK_SOME } from '#src/areas/userLog/userLog.ts'
import { Badge } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { Deed } from '../contract/log.ts'
import { wordsOf } from './deedWords.ts'

/** The score of a line, told apart where it is suspicious or high. */
export const Risk = ({ of }: { of: number }) => {
  if (of >= RISK_HIGH) return <Badge tone="bad">{of}</Badge>
  if (of >= RISK_SOME) return <Badge tone="warn">{of}</Badge>
  return <span className="m-num">{of}</span>
}
/** Whose line it is; of an erased account the id alone. */
export const Who = ({ of }: { of: { member_id: number; nickname: string } }) => {
  const say = useSay()
  return of.nickname ? (
    <>{of.nickname}</>
  ) : (
    <span className="m-muted">
      {say(ERASED)} #{of.member_id}
    </span>
  )
}
/** What the line says of the thing it is about. */
export const About = ({ of }: { of: Deed['detail'] }) => {
  const say = useSay()
  const words = wordsOf(of)
  return words.length === 0 ? (
    <span className="m-muted">—</span>
  ) : (
    <>{words.map(word => say(word)).join(' · ')}</>
  )
}

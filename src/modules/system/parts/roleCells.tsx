import { switches } from '#src/areas/people/people.ts'
import { scopeTypes } from '#src/areas/people/rights.ts'
import { colon, comma } from '#src/domain/text.ts'
import { Badge } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { RoleRow } from '../contract/role.ts'

export const ScopeText = ({ of }: { of: RoleRow }) => {
  const say = useSay()
  const names = Object.values(of.scope_names)
  return (
    <span title={names.join(say(comma))}>
      {say(scopeTypes[of.scope_type])}
      {names.length > 0 &&
        `${say(colon)}${names.slice(0, 3).join(say(comma))}${names.length > 3 ? '…' : ''}`}
    </span>
  )
}
export const RoleState = ({ of }: { of: RoleRow }) => {
  const say = useSay()
  return <Badge tone={of.status === 'on' ? 'good' : 'plain'}>{say(switches[of.status])}</Badge>
}

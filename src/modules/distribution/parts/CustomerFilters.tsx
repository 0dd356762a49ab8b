import { bindingRoles, bindingSources } from '#src/areas/binding/binding.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import { useSay } from '#src/kit/text.ts'
import type { Filtered } from '#src/kit/uselist.ts'

/** The filters that lists of customers have in common. */
export const CustomerFilters = ({ of, role = true }: { of: Filtered; role?: boolean }) => {
  const say = useSay()
  return (
    <>
      <Keyword of={of} placeholder={say(['客户昵称、编号或手机号', 'Nickname, no. or phone'])} />
      {role && <Choice of={of} by="role" label={say(['身份', 'Role'])} words={bindingRoles} />}
      <Choice of={of} by="source" label={say(['来源', 'Source'])} words={bindingSources} />
      <Toggle of={of} by="soon" label={say(['7 天内到期', 'Over in 7 days'])} />
      <Toggle of={of} by="disputed" label={say(['有争议', 'Disputed'])} />
      <Toggle of={of} by="asleep" label={say(['沉睡 90 天', 'Inactive for 90 days'])} />
    </>
  )
}

import { comma, type Text } from '#src/domain/text.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { useSay } from '#src/kit/text.ts'
import { session as calls } from '#src/modules/session/contract.ts'

type Grantor = { name: string; role: string }
const named: Text = ['可由 {people} 开通', '{people} can grant it']
const nobody: Text = ['目前没有人可以开通', 'Nobody can grant it at present']

/** Words that name the people who can grant a right: 可由 林岚（超级管理员） 开通. */
export const grantedBy = (
  people: readonly Grantor[],
  say: (text: Text, values?: Record<string, string>) => string,
): string =>
  people.length === 0
    ? say(nobody)
    : say(named, {
        people: people
          .map(({ name, role }) => say(['{name}（{role}）', '{name} ({role})'], { name, role }))
          .join(say(comma)),
      })
/**
 * Words that name the people who can grant a right, or any right for ''. Empty until the server has
 * answered, and for undefined.
 */
export const useGrantedBy = (permit: string | undefined): string => {
  const say = useSay()
  const asked = permit === '' ? {} : { permit }
  const { currentData } = useRead(calls.grantors, permit === undefined ? skipToken : asked)
  return currentData ? grantedBy(currentData.list, say) : ''
}

import type { Action } from '#commands/command.ts'
import type { Text } from '#src/domain/text.ts'
import { titleIn, useLang, useSay } from './text.ts'
import { useWorkbench } from './workbench.ts'

/**
 * A sentence that names keys: each `{name}` is the key that the reader has for that action now, or
 * the action's title where they have none.
 */
export const Keyed = ({
  text,
  by,
}: {
  text: Text
  by: Readonly<Record<string, Pick<Action, 'id' | 'title' | 'en'>>>
}) => {
  const say = useSay()
  const now = useLang()
  const { keysOf } = useWorkbench()
  const keys = Object.entries(by).map(([name, action]) => [
    name,
    keysOf(action.id) ?? say(['“{of}”', '“{of}”'], { of: titleIn(action as Action, now) }),
  ])
  return <>{say(text, Object.fromEntries(keys))}</>
}

import { Button } from '@blueprintjs/core'
import { initialAnswers } from '#src/kit/asks.ts'
import { FieldAnswer } from '#src/kit/conflict.tsx'
import type { FormState } from '#src/kit/form.tsx'
import { Section } from '#src/kit/show.tsx'
import { FactChange } from '#src/kit/submission.tsx'
import { useSay } from '#src/kit/text.ts'

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
/** What stood in a question before somebody changed it; undefined where nobody has. */
const before = (of: FormState, name: string): { value: unknown } | undefined => {
  const value = initialAnswers(of.asks, of.rows)[name]
  return of.answers && !isSame(value, of.answers[name]) ? { value } : undefined
}
/** Puts the question that somebody is at back as it was; answers whether there was one. */
export const restoreHere = (of: FormState): boolean => {
  const at = document.activeElement
  const name = Object.keys(of.asks).find(one => {
    const field = document.getElementById(of.idOf(one))
    return field !== null && (field.closest('[data-kind]') ?? field).contains(at)
  })
  const was = name === undefined ? undefined : before(of, name)
  if (was) of.change(name!, was.value)
  return was !== undefined
}
/** What is to be otherwise: the current value at the left, the new one at the right. */
export const ChangedHere = ({ of }: { of: readonly FormState[] }) => {
  const say = useSay()
  const lines = of.flatMap(form =>
    Object.entries(form.asks).flatMap(([name, ask]) => {
      const was = before(form, name)
      return was ? [{ form, name, ask, was: was.value }] : []
    }),
  )
  return (
    <Section title={say(['将要修改', 'Changes'])}>
      <div role="status">
        {lines.length === 0 && (
          <span className="m-muted">{say(['还没有修改', 'Nothing yet'])}</span>
        )}
        <dl className="m-facts">
          {lines.map(({ form, name, ask, was }) => {
            const names = form.namesOf(name)
            return (
              <div key={name} className="m-wide os-changed">
                <FactChange
                  label={say(ask.label)}
                  was={<FieldAnswer ask={ask} value={was} names={names} />}
                  now={<FieldAnswer ask={ask} value={form.answers![name]} names={names} />}
                />
                <Button
                  size="small"
                  variant="minimal"
                  aria-label={say(['恢复{name}', 'Revert {name}'], { name: say(ask.label) })}
                  onClick={() => form.change(name, was)}
                >
                  {say(['恢复', 'Revert'])}
                </Button>
              </div>
            )
          })}
        </dl>
      </div>
    </Section>
  )
}

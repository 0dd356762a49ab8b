import { colon } from '#src/domain/text.ts'
import { initialAnswers } from './asks.ts'
import { FieldAnswer } from './conflict.tsx'
import type { FormState } from './form.tsx'
import { Section } from './show.tsx'
import { useSay } from './text.ts'

/** What of a form differs from what it began with, question by question. */
export const Changes = ({ form, id }: { form: FormState; id: string }) => {
  const say = useSay()
  const was = initialAnswers(form.asks, form.rows)
  const now = form.answers ?? was
  const changed = Object.entries(form.asks).filter(
    ([name]) => JSON.stringify(was[name] ?? null) !== JSON.stringify(now[name] ?? null),
  )
  return (
    <Section title={say(['变更（{n}）', 'Changes ({n})'], { n: changed.length })}>
      <div id={id} tabIndex={-1}>
        {changed.length === 0 && <p className="m-muted">{say(['没有改动', 'Nothing differs'])}</p>}
        {changed.map(([name, ask]) => (
          <p key={name}>
            {say(ask.label)}
            {say(colon)}
            <FieldAnswer ask={ask} value={was[name]} names={form.namesOf(name)} /> →{' '}
            <FieldAnswer ask={ask} value={now[name]} names={form.namesOf(name)} />
          </p>
        ))}
      </div>
    </Section>
  )
}

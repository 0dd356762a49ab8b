import { initialAnswers } from '#src/kit/asks.ts'
import { Answer } from '#src/kit/conflict.tsx'
import type { FormState } from '#src/kit/form.tsx'
import { Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'

/** What of a form differs from what it began with, question by question. */
export const Changes = ({ form }: { form: FormState }) => {
  const say = useSay()
  const was = initialAnswers(form.asks, form.rows)
  const now = form.answers ?? was
  const changed = Object.entries(form.asks).filter(
    ([name]) => JSON.stringify(was[name] ?? null) !== JSON.stringify(now[name] ?? null),
  )
  return (
    <Section title={say(['变更（{n}）', 'Changes ({n})'], { n: changed.length })}>
      <div id="rc-changes" tabIndex={-1}>
        {changed.length === 0 && <p className="m-muted">{say(['没有改动', 'Nothing differs'])}</p>}
        {changed.map(([name, ask]) => (
          <p key={name}>
            {say(ask.label)}：<Answer ask={ask} value={was[name]} names={form.namesOf(name)} /> →{' '}
            <Answer ask={ask} value={now[name]} names={form.namesOf(name)} />
          </p>
        ))}
      </div>
    </Section>
  )
}

import { useId, useState } from 'react'
import { kindOf, type Block } from '#src/areas/scheme/blocks.ts'
import type { PageKey } from '#src/areas/scheme/pageKey.ts'
import type { Result } from '#src/contract/call.ts'
import type { DesignerCalls } from '#src/contract/designer.ts'
import { Field } from '../fields.tsx'
import { Section } from '../show.tsx'
import { useSay } from '../text.ts'
import { answersOf, asksOf, propertyOf, propsAfter, type Links } from './asks.ts'

export type PageData = Result<DesignerCalls['data']>
type Props = {
  block: Block
  of: { key: PageKey; calls: DesignerCalls; links: Links }
  data: PageData | undefined
  /** Changes a property; its name tells which words are being typed. */
  change: (props: Block['props'], name: string) => void
  /** Back to the page. */
  done: () => void
}

/** The form of one block: each answer changes the page at once. */
export const DesignProperties = ({ block, of, data, change, done }: Props) => {
  const say = useSay()
  const base = useId()
  const [typed, setTyped] = useState<Readonly<Record<string, unknown>>>({})
  const [named, setNamed] = useState<Readonly<Record<number, string>>>({})
  const shown = data?.blocks.find(one => one.id === block.id)
  const faults = data?.faults.filter(fault => fault.block === block.id) ?? []
  const answers = { ...typed, ...answersOf(block) }
  const { key, calls, links } = of
  const asks = asksOf(block, links, calls.goods)
  const names = Object.fromEntries((shown?.items ?? []).map(one => [one.id, one.title]))
  const rows = [
    { key, names, link_name: shown?.link_name ?? '', ...(block.props['link'] as object) },
  ]
  const { about, title } = kindOf(block.kind)
  const whole = faults.filter(fault => fault.field === undefined)
  const first = Object.keys(asks).find(name => asks[name]!.shown?.(answers, rows) ?? true)
  return (
    <Section title={say(title)}>
      <p className="m-muted">{say(about)}</p>
      {whole.map(fault => (
        <p key={fault.text} className="m-error" role="alert">
          {fault.text}
        </p>
      ))}
      {Object.entries(asks).map(([name, ask]) => {
        if (!(ask.shown?.(answers, rows) ?? true)) return null
        const id = `${base}-${name}`
        const error = faults.find(
          fault =>
            fault.field === propertyOf(links, name) &&
            (fault.field === name || name === 'page_link_id'),
        )
        return (
          <div key={name} className="cd-field" data-first-field={name === first || undefined}>
            <div className="m-asked">
              <label htmlFor={id}>
                {say(ask.label)}
                {ask.optional && <small className="m-muted"> {say(['选填', 'optional'])}</small>}
              </label>
            </div>
            <Field
              ask={ask}
              id={id}
              describedBy={`${id}-hint ${id}-error`}
              value={answers[name]}
              change={value => {
                const next = { ...answers, [name]: value }
                setTyped({ ...typed, [name]: value })
                change(
                  propsAfter(block.props, name, { answers: next, links }),
                  `${block.id}/${name}`,
                )
              }}
              submit={done}
              invalid={error !== undefined}
              rows={rows}
              answers={answers}
              names={{
                ...names,
                ...named,
                ...(ask.kind === 'entity' &&
                  rows[0]!.link_name && { [Number(answers[name])]: rows[0]!.link_name }),
              }}
              named={(one, label) => setNamed(now => ({ ...now, [one]: label }))}
            />
            <div className="m-hint" id={`${id}-hint`}>
              {ask.hint && say(ask.hint)}
            </div>
            <div className="m-error" id={`${id}-error`}>
              {error?.text}
            </div>
          </div>
        )
      })}
    </Section>
  )
}

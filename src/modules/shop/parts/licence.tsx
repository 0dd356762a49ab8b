import { Button } from '@blueprintjs/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { shopAuditActions } from '#commands/shop/audit.ts'
import { merchantFormActions } from '#commands/shop/merchant.ts'
import {
  isSameOnLicence,
  licenceFields,
  licenceValue,
  type LicenceField,
  type LicenceReading,
} from '#src/areas/merchant/licence.ts'
import { skipToken, useRead, type ReadState } from '#src/kit/data.ts'
import type { FormState } from '#src/kit/form.tsx'
import { Badge, Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { shopAdd } from '../contract/add.ts'
import { shopAudit, type ApplicationDetail } from '../contract/audit.ts'
import type { Answers } from './asks.ts'

const fields = Object.keys(licenceFields) as LicenceField[]
type Read = Pick<LicenceReading, 'checked'> & {
  fault: string
  values: { [K in LicenceField]?: LicenceReading['values'][K] | undefined }
}
/** How sure a field is that was read: its check digit fits, or a person has to look. */
const Sureness = ({ of, field }: { of: Read; field: LicenceField }) => {
  const say = useSay()
  if (of.values[field] === undefined)
    return <span className="m-muted">{say(['未识别到', 'Not found'])}</span>
  return of.checked.includes(field) ? (
    <Badge tone="good">{say(['校验位相符', 'Check digit fits'])}</Badge>
  ) : (
    <Badge>{say(['请核对', 'Check this'])}</Badge>
  )
}
type LineProps = { of: Read; field: LicenceField; children?: ReactNode }
/** Shows one field as it was read; `children` compare it with what was typed or applied for. */
const Line = ({ of, field, children }: LineProps) => {
  const say = useSay()
  const value = of.values[field]
  return (
    <li>
      <span className="m-muted">{say(licenceFields[field])}</span>
      <Sureness of={of} field={field} />
      {value !== undefined && <span className="sp-read-value">{say(licenceValue(value))}</span>}
      {children}
    </li>
  )
}
type LinesProps = {
  of: ReadState<Read>
  beside: (field: LicenceField, of: Read) => ReactNode
}
/** All that was read; what could not be read is said, with what to do about it. */
const Lines = ({ of, beside }: LinesProps) => {
  const say = useSay()
  if (of.isFetching)
    return (
      <p className="m-muted" role="status">
        {say(['正在识别，通常需要几秒…', 'Reading, this takes some seconds…'])}
      </p>
    )
  return (
    <Answer of={of}>
      {read => {
        const isNothing = fields.every(field => read.values[field] === undefined)
        const nothing = say([
          '照片中没有认出执照内容，请换一张端正、清晰的照片，或直接填写',
          'No licence recognised: use a clear, upright picture, or type it in',
        ])
        if (read.fault || isNothing)
          return (
            <div role="alert">
              <p>{read.fault || nothing}</p>
              <Button
                size="small"
                text={say(['重新识别', 'Read again'])}
                onClick={({ currentTarget }) => {
                  // The button goes while it is read: the focus waits around it.
                  currentTarget.closest<HTMLElement>('.sp-reader')?.focus()
                  of.refetch()
                }}
              />
            </div>
          )
        return (
          <ul className="sp-read" aria-label={say(['识别结果', 'OCR result'])}>
            {fields.map(field => (
              <Line key={field} of={read} field={field}>
                {beside(field, read)}
              </Line>
            ))}
          </ul>
        )
      }}
    </Answer>
  )
}

/** Fields of a licence that the form asks for. */
const typed = ['license_no', 'name', 'legal_name', 'license_expire_at'] as const
type Typed = (typeof typed)[number]
const isTyped = (field: LicenceField): field is Typed => typed.includes(field as Typed)
/** Puts what was read into the form, by the person; then the next line is at hand. */
const Take = ({ form, field, of }: { form: FormState; field: Typed; of: Read }) => {
  const say = useSay()
  const value = of.values[field]
  const stands = (form.answers as Answers | undefined)?.[field]
  if (value === undefined) return null
  if (isSameOnLicence(value, stands))
    return <Badge tone="good">{say(['与填写一致', 'As typed'])}</Badge>
  return (
    <Button
      size="small"
      text={say(['填入', 'Take'])}
      aria-label={say(['填入{field}：{value}', 'Take {field}: {value}'], {
        field: say(licenceFields[field]),
        value: say(licenceValue(value)),
      })}
      onClick={({ currentTarget: own }) => {
        const all: HTMLElement[] = [...(own.closest('ul')?.querySelectorAll('button') ?? [])]
        const at = all.indexOf(own)
        const next = all[at + 1] ?? all[at - 1]
        form.change(field, value ?? undefined)
        if (next) next.focus()
        else document.getElementById(form.idOf(field))?.focus()
      }}
    />
  )
}
/** What the licence's picture says beside what is typed: nothing is put into the form by itself. */
export const LicenceReader = ({ form }: { form: FormState }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const box = useRef<HTMLDivElement>(null)
  const [asked, setAsked] = useState<{ image: string } | undefined>(undefined)
  const image = (form.answers as Answers | undefined)?.license_image?.[0]
  const isAsked = asked !== undefined && asked.image === image
  const reading = useRead(shopAdd.ocrLicense, isAsked ? { image: asked.image } : skipToken)
  useAction(merchantFormActions.ocrLicense, () => {
    if (image) setAsked({ image })
    else {
      toast(say(['请先上传营业执照照片', 'Upload a picture of the licence first']), 'warning')
      document.getElementById(form.idOf('license_image'))?.focus()
    }
  })
  useEffect(() => {
    if (asked) box.current?.focus()
  }, [asked])
  // The focus moves only from here: a person may have gone on to type meanwhile.
  const isThere = isAsked && !reading.isFetching && reading.currentData !== undefined
  useEffect(() => {
    if (isThere && document.activeElement === box.current)
      box.current?.querySelector('button')?.focus()
  }, [isThere])
  return (
    <Section title={say(['执照识别', 'Licence OCR'])}>
      <div ref={box} tabIndex={-1} className="sp-reader">
        {isAsked ? (
          <Lines
            of={reading}
            beside={(field, of) =>
              isTyped(field) ? <Take form={form} field={field} of={of} /> : null
            }
          />
        ) : (
          <span className="m-muted">
            {say([
              '上传执照照片后可识别；结果只作参考，逐项确认后才会填入',
              'Upload a picture of the licence to read it; each value is filled in only once you accept it',
            ])}
          </span>
        )}
      </div>
    </Section>
  )
}

/** What the licence that is applied with says, beside its picture; what differs is marked. */
export const LicenceBeside = ({ of: { task, body } }: { of: ApplicationDetail }) => {
  const say = useSay()
  const [asked, setAsked] = useState(0)
  const isAsked = asked === task.id
  const reading = useRead(shopAudit.readLicence, isAsked ? { id: task.id } : skipToken)
  useAction(shopAuditActions.readLicence, ([row]) => setAsked((row as { id: number }).id))
  const box = useRef<HTMLDivElement>(null)
  const isRead = isAsked && reading.currentData !== undefined
  useEffect(() => {
    if (isRead) box.current?.scrollIntoView({ block: 'nearest' })
  }, [isRead])
  const differs = reading.currentData?.differs ?? []
  const stands = (field: LicenceField) => (isTyped(field) ? body[field] : undefined)
  return (
    <Section title={say(['执照识别', 'Licence OCR'])}>
      <div ref={box} tabIndex={-1} className="sp-reader">
        {isAsked ? (
          <Lines
            of={reading}
            beside={field =>
              differs.includes(field) && (
                <span className="sp-read-differs">
                  <Badge tone="warn">
                    {say(['与申请不同：{value}', 'Applied for: {value}'], {
                      value: say(licenceValue(stands(field))),
                    })}
                  </Badge>
                </span>
              )
            }
          />
        ) : (
          <Button
            size="small"
            onClick={() => setAsked(task.id)}
            text={say(['识别营业执照', 'Read the licence'])}
          />
        )}
      </div>
    </Section>
  )
}

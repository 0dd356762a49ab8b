import { Changes } from '#src/kit/form-changes.tsx'
import { FormNotes, useForm } from '#src/kit/form.tsx'
import { FormFields, FormPage, FormPart, PageForm } from '#src/kit/formpage.tsx'
import { Section } from '#src/kit/show.tsx'
import { add, edit } from '../actions.ts'
import { longNames, rows } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const begun = rows.slice(0, 1)
const asks = edit.asks!
const Drawn = ({ draft, refused = false }: { draft: string; refused?: boolean }) => {
  const form = useForm({
    asks,
    rows: begun,
    draft,
    ...(refused && { typed: { changed: { name: longNames[0] }, based: { name: begun[0]!.name } } }),
    submit: async () => (refused ? { message: '资料不全，请先补齐' } : true),
  })
  return (
    <FormPage
      actions={[add, edit]}
      rows={begun}
      notes={<FormNotes of={form} />}
      aside={
        <>
          <Section title="资料清单">资料齐全</Section>
          <Changes form={form} id={`${draft}-changes`} />
        </>
      }
    >
      <PageForm of={form} label="商户资料">
        <fieldset>
          <legend>基本资料</legend>
          <FormFields of={form} names={Object.keys(asks)} />
        </fieldset>
        <fieldset>
          <legend>另做的一段</legend>
          <FormPart of={form} name="lines">
            还没有可售卡
          </FormPart>
        </fieldset>
        <fieldset>
          <legend>整行</legend>
          <FormFields of={form} names={Object.keys(asks).slice(0, 1)} wide />
        </fieldset>
      </PageForm>
    </FormPage>
  )
}
export const specimen: Specimen = {
  part: 'formpage',
  title: ['表单页', 'A page that is a form'],
  states: [
    { name: ['未改', 'Untouched'], draw: () => <Drawn draft="gallery:page-a" /> },
    { name: ['已改', 'Changed'], draw: () => <Drawn draft="gallery:page-b" refused /> },
  ],
}

import { FormField, FormNotes, useForm } from '#src/kit/form.tsx'
import { edit } from '../actions.ts'
import { longNames, rows } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const begun = rows.slice(0, 1)
const asks = edit.asks!
const Form = ({ draft, refused = false }: { draft: string; refused?: boolean }) => {
  const form = useForm({
    asks,
    rows: begun,
    draft,
    ...(refused && { typed: { changed: { name: longNames[0] }, based: { name: begun[0]!.name } } }),
    submit: async () => (refused ? { fields: { name: '名称已被占用' } } : true),
  })
  return (
    <form
      className="m-ask"
      onSubmit={event => {
        event.preventDefault()
        form.go()
      }}
    >
      <FormNotes of={form} />
      {Object.keys(asks).map(name => (
        <FormField key={name} of={form} name={name} />
      ))}
      <button type="submit">保存</button>
    </form>
  )
}
export const specimen: Specimen = {
  part: 'form',
  title: ['表单', 'A form'],
  states: [
    { name: ['未改', 'Untouched'], draw: () => <Form draft="gallery:a" /> },
    {
      name: ['已改，长名称，保存被拒', 'Changed, refused'],
      draw: () => <Form draft="gallery:b" refused />,
    },
  ],
}

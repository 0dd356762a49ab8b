import { ask, type Ask } from '#commands/command.ts'
import { Field } from '#src/kit/fields.tsx'
import { ImagesField } from '#src/kit/images.tsx'
import { lists } from '../answers.ts'
import { Kept } from '../frame.tsx'
import { longNames } from '../rows.ts'
import type { Specimen, State } from '../specimen.ts'

const label = ['字段', 'A field'] as const
const options = { a: ['单品', 'Single'], b: [longNames[0]!, 'A long one'] } as const
const found = { label, find: lists.full, labelOf: (row: { name: string }) => row.name }
type Kind = readonly [zh: string, en: string, of: Ask, answer: unknown]
/** A question of every kind, with an answer. */
const kinds: readonly Kind[] = [
  ['文字', 'Text', ask.text({ label, max: 32 }), longNames[0]],
  ['多行文字', 'Lines', ask.text({ label, max: 200, lines: 3 }), longNames.join('\n')],
  ['金额', 'Money', ask.money({ label }), 129_900],
  ['整数', 'A number', ask.number({ label, min: 0, max: 99 }), 12],
  ['时间', 'A time', ask.time({ label }), 1_795_600_000],
  ['开关', 'A flag', ask.flag({ label }), true],
  ['选一', 'A choice', ask.choice({ label, options }), 'b'],
  ['多选', 'Choices', ask.choices({ label, options }), ['a']],
  [
    '原因',
    'A reason',
    ask.reason({ label, codes: options, several: true }),
    { code: 'a', text: '单品' },
  ],
  ['字段批注', 'Marks', ask.marks({ label, fields: options }), { a: '看不清' }],
  ['顺序', 'An order', ask.order({ label }), ['甲', '乙', longNames[1]!]],
  ['找一个', 'An entity', ask.entity(found), 1],
  ['找多个', 'Entities', ask.entities({ ...found, max: 5 }), [1, 2]],
  ['图片', 'Pictures', ask.images({ label, max: 3, ratio: [1, 1] }), ['/icon.svg', 'gone.webp']],
]
const field = ([zh, en, of, answer]: Kind, more: { fault?: boolean } = {}): State => ({
  name: more.fault ? [`${zh}：有错`, `${en}: a fault`] : [zh, en],
  draw: () => {
    const id = `g-${of.kind}-${en.replaceAll(' ', '')}-${more.fault ? 'fault' : 'fine'}`
    return (
      <Kept first={more.fault ? undefined : answer}>
        {(value, change) => (
          <div data-kind={of.kind}>
            {of.kind !== 'flag' && <label htmlFor={id}>{zh}</label>}
            <Field
              ask={of}
              id={id}
              describedBy={`${id}-error`}
              value={value}
              change={change}
              submit={() => undefined}
              invalid={more.fault ?? false}
              rows={[]}
              answers={{}}
              names={{ 1: longNames[0]!, 2: '双人下午茶' }}
              named={() => undefined}
            />
            <div className="m-error" id={`${id}-error`}>
              {more.fault && '不能为空'}
            </div>
          </div>
        )}
      </Kept>
    )
  },
})
const one = ask.images({ label, max: 1 })
export const specimen: Specimen = {
  part: 'fields',
  title: ['字段与上传', 'Fields and upload'],
  states: [
    ...kinds.flatMap(kind => [field(kind), field(kind, { fault: true })]),
    {
      name: ['一张图片', 'One picture'],
      draw: () => (
        <Kept<string[] | undefined> first={['/icon.svg']}>
          {(value, change) => (
            <>
              <label htmlFor="g-picture">图标</label>
              <ImagesField
                ask={one}
                id="g-picture"
                describedBy=""
                value={value}
                change={change}
                invalid={false}
              />
            </>
          )}
        </Kept>
      ),
    },
  ],
}

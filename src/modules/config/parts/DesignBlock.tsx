import { kindOf, type Block } from '#src/areas/scheme/blocks.ts'
import { yuan } from '#src/domain/money.ts'
import { Picture } from '#src/kit/image.tsx'
import { useSay } from '#src/kit/text.ts'
import type { PageData } from './DesignProperties.tsx'

type Items = PageData['blocks'][number]['items']
const Card = ({ of }: { of: Items[number] }) => (
  <div className="cd-card">
    {of.image && <Picture of={of.image} label="" />}
    <span>{of.title}</span>
    {of.note && <small>{of.note}</small>}
    {of.price_cents !== null && <b>¥{yuan(of.price_cents)}</b>}
  </div>
)
const heights: Readonly<Record<string, number>> = { small: 8, medium: 20, large: 40 }

/** A block as consumers see it, with what it shows in the city; one without anything to show says so. */
export const DesignBlock = ({ block, items }: { block: Block; items: Items | undefined }) => {
  const say = useSay()
  const { kind, props } = block
  const words = (name: string) => (typeof props[name] === 'string' ? props[name] : '')
  if (kind === 'notice') return <div className="cd-notice">{words('text') || '…'}</div>
  if (kind === 'text') return <h4>{words('text') || '…'}</h4>
  if (kind === 'gap') return <div style={{ height: heights[words('height')] ?? 8 }} />
  if (kind === 'picture')
    return words('image') ? (
      <Picture of={words('image')} label="" />
    ) : (
      <div className="cd-empty">{say(['未上传图片', 'No picture yet'])}</div>
    )
  if (kind === 'search')
    return (
      <>
        <div className="cd-search">{words('hint')}</div>
        <div className="cd-words">
          {items?.map(one => (
            <span key={one.id}>{one.title}</span>
          ))}
        </div>
      </>
    )
  return (
    <>
      {words('title') && <h4>{words('title')}</h4>}
      {items?.length === 0 ? (
        <div className="cd-empty">
          {say(
            ['本市暂无内容，用户看不到“{of}”', 'Nothing here in this city: “{of}” is not shown'],
            {
              of: say(kindOf(kind).title),
            },
          )}
        </div>
      ) : (
        <div
          data-kind={kind}
          className={kind === 'banner' || kind === 'group' ? 'cd-rail' : 'cd-grid'}
          style={{ ['--n' as string]: Number(props['columns'] ?? 2) }}
        >
          {items?.map(one => (
            <Card key={one.id} of={one} />
          ))}
        </div>
      )}
    </>
  )
}

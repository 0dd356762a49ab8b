import type { ReactNode } from 'react'
import { kindOf, type Block, type BlockKind } from '#src/areas/scheme/blocks.ts'
import { yuan } from '#src/domain/money.ts'
import { Picture } from '../image.tsx'
import { useSay } from '../text.ts'
import type { PageData } from './properties.tsx'

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

const wordsIn =
  ({ props }: Block) =>
  (name: string) =>
    typeof props[name] === 'string' ? props[name] : ''
/** A block of words and pictures of its own; undefined for one that shows rows. */
const plainBlock = (block: Block, noPicture: string): ReactNode => {
  const words = wordsIn(block)
  switch (block.kind) {
    case 'notice':
      return <div className="cd-notice">{words('text') || '…'}</div>
    case 'text':
      return <h4>{words('text') || '…'}</h4>
    case 'gap':
      return <div style={{ height: heights[words('height')] ?? 8 }} />
    case 'story':
      return (
        <>
          <h4>{words('title')}</h4>
          <p className="cd-story">{words('text') || '…'}</p>
        </>
      )
    case 'picture':
      return words('image') ? (
        <Picture of={words('image')} label="" />
      ) : (
        <div className="cd-empty">{noPicture}</div>
      )
    default:
      return undefined
  }
}
const rails: readonly BlockKind[] = ['banner', 'group', 'brand_wall', 'related_brand']
const Rows = ({ block, items }: { block: Block; items: Items | undefined }) => {
  const say = useSay()
  const { kind, props } = block
  if (items?.length === 0)
    return (
      <div className="cd-empty">
        {say(['暂无内容，用户看不到“{of}”', 'Nothing here: “{of}” is not shown'], {
          of: say(kindOf(kind).title),
        })}
      </div>
    )
  return (
    <div
      data-kind={kind}
      className={rails.includes(kind) ? 'cd-rail' : 'cd-grid'}
      style={{ ['--n' as string]: kind === 'brand_header' ? 1 : Number(props['columns'] ?? 2) }}
    >
      {items?.map(one => (
        <Card key={one.id} of={one} />
      ))}
    </div>
  )
}

/** A block as consumers see it, with what it shows now; one without anything to show says so. */
export const DesignBlock = ({ block, items }: { block: Block; items: Items | undefined }) => {
  const say = useSay()
  const words = wordsIn(block)
  const plain = plainBlock(block, say(['未上传图片', 'No picture yet']))
  if (plain !== undefined) return plain
  if (block.kind === 'search')
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
      {words('image') && <Picture of={words('image')} label="" />}
      <Rows block={block} items={items} />
    </>
  )
}

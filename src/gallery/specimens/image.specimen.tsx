import { Picture, Portrait, Stored, Thumb } from '#src/kit/image.tsx'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'image',
  title: ['图片', 'A picture'],
  states: [
    { name: ['可显示', 'There'], draw: () => <Picture of="/icon.svg" label="门头照" /> },
    { name: ['无法显示', 'Not available'], draw: () => <Picture of="gone.webp" label="门头照" /> },
    {
      name: ['详情顶部', 'Above the facts'],
      draw: () => <Portrait of="/icon.svg" label="门头照" />,
    },
    {
      name: ['文件', 'A file'],
      draw: () => <Stored of="file/1/price-list.pdf" label="价目表" />,
    },
    {
      name: ['行内缩略图', 'In a row'],
      draw: () => (
        <p>
          <Thumb of="/icon.svg" /> 四人火锅套餐
        </p>
      ),
    },
    {
      name: ['没有图片的缩略图', 'In a row, none there'],
      draw: () => (
        <p>
          <Thumb of={undefined} /> 四人火锅套餐
        </p>
      ),
    },
  ],
}

/** A member as an attacker would write it: nothing about it is checked. */
export interface TarMember {
  readonly name: string;
  /** As the format has it: `0` file, `1` hard link, `2` symbolic link, `3` device, `5` folder, `6` FIFO. */
  readonly type: '0' | '1' | '2' | '3' | '5' | '6';
  readonly content?: string | Buffer;
  readonly target?: string;
}

/** A tar archive (ustar) of these members in this order. */
export function tarArchive(members: readonly TarMember[]): Buffer {
  const blocks = members.flatMap((member) => {
    const content = Buffer.from(member.content ?? '');
    const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
    return [header(member, content.length), content, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function header({ name, type, target = '' }: TarMember, size: number): Buffer {
  const block = Buffer.alloc(512);
  if (Buffer.byteLength(name) > 100 || Buffer.byteLength(target) > 100) {
    throw new Error(`${name} or ${target} does not fit into a header`);
  }
  block.write(name, 0);
  block.write(type === '5' ? '0000755\0' : '0000644\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write(target, 157);
  block.write('ustar\x0000', 257);
  // A device of this number is /dev/null.
  block.write('0000001\0', 329);
  block.write('0000003\0', 337);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

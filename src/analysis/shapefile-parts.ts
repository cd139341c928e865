/** The files that a shapefile is made of. */

/** The files of a shapefile by extension, without the dot. */
export type ShapefileParts = Partial<Record<'shp' | 'dbf' | 'prj' | 'cpg', Buffer>>;

/** Extensions of the files that are read. */
export const SHAPEFILE_PARTS = ['shp', 'dbf', 'prj', 'cpg'] as const;

/** Which part of a shapefile a file is, by its name. */
export function partOf(file: string): keyof ShapefileParts | undefined {
  const extension = /\.(\w{3})$/.exec(file)?.[1]?.toLowerCase();
  return file.startsWith('__MACOSX') ? undefined : SHAPEFILE_PARTS.find((part) => part === extension);
}

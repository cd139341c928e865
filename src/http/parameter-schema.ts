/** Query parameters as data: the same rows validate requests and describe the interface. */

/** JSON Schema of one value, as far as parameters need it. */
export interface ValueSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly default?: string | number | boolean;
}

/** One query parameter. */
export interface ParameterSchema {
  readonly name: string;
  readonly description: string;
  readonly schema: ValueSchema;
  readonly required?: boolean;
  /** May be given several times. */
  readonly repeatable?: boolean;
}

/** What a parameter may have besides its name, type and description. */
type Options = Omit<ValueSchema, 'type'> & Pick<ParameterSchema, 'required' | 'repeatable'>;

function ofType(type: ValueSchema['type']) {
  return (name: string, description: string, options: Options = {}): ParameterSchema => {
    const { required, repeatable, ...schema } = options;
    return {
      name,
      description,
      schema: { type, ...schema },
      ...(required && { required }),
      ...(repeatable && { repeatable }),
    };
  };
}

/** Parameters of the types that `Query` reads. */
export const parameter = {
  text: ofType('string'),
  integer: ofType('integer'),
  decimal: ofType('number'),
  boolean: ofType('boolean'),
};

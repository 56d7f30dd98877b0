package io.alrai.executor.codegen;

import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.vector.RowLayout.Form;

/**
 * A value in local variables of the generated method.
 *
 * @param kind what it means
 * @param form how it is held
 * @param first the local of the value, of the low half, or of the address
 * @param second the local of the high half or of the length; -1 for one local
 * @param missing the int local that is 1 for NULL; -1 where it cannot be NULL
 * @param shape of an exact number; that of a whole number else
 */
record Value(ValueKind kind, Form form, int first, int second, int missing, Shape shape) {
  boolean canBeNull() {
    return missing >= 0;
  }

  Value withMissing(int local) {
    return new Value(kind, form, first, second, local, shape);
  }
}

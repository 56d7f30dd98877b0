package io.alrai.gms.command;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.common.kind.SealedKinds;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.Partitioning;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * Commands, questions, answers and snapshots as bytes: JSON in an envelope with the format's
 * number.
 *
 * <pre>
 *  {"format":1,"body":{...}}
 * </pre>
 *
 * A member of a sealed type is named by its record's simple name in the property {@code is}.
 * Unknown and missing properties are errors: a node that understands only half of an entry would
 * part from the others. Only what came later than records that may be stored may be missing: {@link
 * OlderRecords}.
 *
 * <p>Nodes of two releases work on one log while a cluster is upgraded. So a release that brings a
 * new kind, or a new property, reads it and does not write it yet; the next one writes it.
 * Thread-safe.
 */
public final class GmsCodec {
  /** The format that this code writes; it reads no other. */
  static final int FORMAT = 1;

  /** The sealed types whose members are distinguished by name. */
  static final List<Class<?>> SEALED =
      List.of(
          CatalogCommand.class, Partitioning.class, LogCommand.class, Question.class, Answer.class);

  private final ObjectMapper mapper;

  /** A codec of the current format. */
  public GmsCodec() {
    JsonMapper.Builder builder =
        JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
    builder.addModule(new SimpleModule().setDeserializerModifier(new OlderRecords.Modifier()));
    builder.addMixIn(PhysicalSchema.class, Plain.class);
    for (Class<?> sealed : SEALED) {
      builder.addMixIn(sealed, ByName.class);
      for (Class<?> member : SealedKinds.of(sealed)) {
        builder.registerSubtypes(new NamedType(member, member.getSimpleName()));
      }
    }
    this.mapper = builder.build();
  }

  /** The value in its envelope. */
  public byte[] encode(Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator json = mapper.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberField("format", FORMAT);
      json.writeFieldName("body");
      mapper.writeValue(json, value);
      json.writeEndObject();
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_INTERNAL, "the GMS cannot encode a " + value.getClass().getName(), e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads {@link #encode}'s bytes back.
   *
   * @throws AlraiException ALRAI_INTERNAL when they are not of this format and type
   */
  public <T> T decode(byte[] bytes, Class<T> type) {
    try (JsonParser json = mapper.createParser(bytes)) {
      expect(json.nextToken() == JsonToken.START_OBJECT, type);
      expect("format".equals(json.nextFieldName()), type);
      int format = json.nextIntValue(-1);
      if (format != FORMAT) {
        throw new AlraiException(
            ErrorCode.ALRAI_INTERNAL,
            "the GMS' data has format "
                + format
                + ", this version of Alrai reads format "
                + FORMAT
                + ": run the version that wrote it, or a newer one");
      }
      expect("body".equals(json.nextFieldName()), type);
      json.nextToken();
      T value = mapper.readValue(json, type);
      expect(json.nextToken() == JsonToken.END_OBJECT && json.nextToken() == null, type);
      return value;
    } catch (InvalidTypeIdException | UnrecognizedPropertyException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_INTERNAL,
          "this node does not understand a "
              + type.getSimpleName()
              + " of the GMS, which a newer release of Alrai has written: upgrade this node ("
              + e.getOriginalMessage()
              + ")",
          e);
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_INTERNAL, "not a " + type.getSimpleName() + " of the GMS", e);
    }
  }

  private static void expect(boolean holds, Class<?> type) {
    if (!holds) {
      throw new AlraiException(
          ErrorCode.ALRAI_INTERNAL, "not a " + type.getSimpleName() + " of the GMS");
    }
  }

  /** Its name is all of it. */
  private interface Plain {
    @JsonValue
    String name();
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
  private interface ByName {}
}

import HTTPTypes
import Jansson

extension EmulatorResponse {
    static func json(_ status: HTTPResponse.Status, _ json: JSON) -> EmulatorResponse {
        EmulatorResponse(status, Array(json.text.utf8), "application/json; charset=utf-8")
    }
}
